#!/bin/bash
# Arithmetic and tests in a loop.
s=0; i=0; while [ $i -lt 100000 ]; do s=$((s + i % 7)); i=$((i+1)); done; echo $s
