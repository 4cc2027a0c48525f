#!/bin/bash
# A pipeline of text tools over 10 MB.
grep ERROR log.txt | awk '{print $4}' | sort | uniq -c | sort -rn | head -5
