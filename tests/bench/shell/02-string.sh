#!/bin/bash
# A string that grows, and words of it.
out=""; for i in $(seq 1 5000); do out="$out,item$i"; done; echo ${#out}; n=0; for w in $(echo "$out" | tr ',' ' '); do case $w in *7) n=$((n+1));; esac; done; echo $n
