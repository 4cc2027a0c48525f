#!/bin/bash
# A call with hardly any work.
echo hello | tr a-z A-Z
