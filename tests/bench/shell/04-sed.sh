#!/bin/bash
# sed with a group over 10 MB.
sed -E 's/service-([0-9]+)/svc_\1/g; /DEBUG/d' log.txt | tail -2
