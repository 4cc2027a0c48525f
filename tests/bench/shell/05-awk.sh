#!/bin/bash
# awk sums by key over 100,000 rows.
awk -F, 'NR>1{s[$4]+=$3;n++} END{for(k in s) printf "%s %.2f\n",k,s[k]; print n}' data.csv | sort
