#!/bin/bash
# A tree of 1,000 files.
find tree -name '*.py' | sort | xargs grep -l 'MARK fix 7 ' ; find tree -type f | wc -l
