#!/bin/bash
# jq over 20,000 objects.
jq -r '[.[]|select(.score>50)]|group_by(.tags[1])|map({k:.[0].tags[1],n:length,m:(map(.score)|add/length)})|.[]|"\(.k) \(.n)"' data.json
