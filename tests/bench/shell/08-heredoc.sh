#!/bin/bash
# Small files by here-documents.
mkdir -p out; for i in 1 2 3 4 5; do cat > out/conf$i.txt <<X
name=host$i
port=$((8000+i))
path=\$HOME/data
X
done; cat out/conf*.txt | grep port | cut -d= -f2 | paste -sd+ -; rm -r out
