/*
 * patch on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '5d;10s/$/x/' a > b; diff -u a b > p; patch a p; cat a",
     "patching file a\n1\n2\n3\n4\n6\n7\n8\n9\n10x\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '5d;10s/$/x/' a > b; diff -u a b > p; patch -R b p; cat "
     "b",
     "patching file b\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '5d;10s/$/x/' a > b; diff -c a b > p; patch a p; cat a",
     "patching file a\n1\n2\n3\n4\n6\n7\n8\n9\n10x\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '5d;10s/$/x/' a > b; diff a b > p; patch a p; cat a",
     "patching file a\n1\n2\n3\n4\n6\n7\n8\n9\n10x\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '5d;10s/$/x/' a > b; diff -u a b > p; sed -i '1i new' a;"
     " patch a p; cat a; ls",
     "patching file a\nHunk #1 succeeded at 3 (offset 1 line).\nnew\n1\n2\n3\n4\n6\n7\n8\n9\n1"
     "0x\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\na\na.orig\nb\nb2\nbin\ncsv\nd\ne\nempty\nen2"
     "\nenc\nf\nh\nk\np\ns\ntsv\nu\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '5d;10s/$/x/' a > b; diff -u a b > p; sed -i '3s/$/y/' a"
     "; patch a p; cat a; ls",
     "patching file a\nHunk #1 succeeded at 2 with fuzz 2.\n1\n2\n3y\n4\n6\n7\n8\n9\n10x\n11\n"
     "12\n13\n14\n15\n16\n17\n18\n19\n20\na\na.orig\nb\nb2\nbin\ncsv\nd\ne\nempty\nen2\nenc\nf"
     "\nh\nk\np\ns\ntsv\nu\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '10s/$/x/' a > b; diff -u a b > p; patch -s a p; patch -"
     "N a p; ls",
     "patching file a\nReversed (or previously applied) patch detected!  Skipping patch.\n1 ou"
     "t of 1 hunk ignored -- saving rejects to file a.rej\na\na.rej\nb\nb2\nbin\ncsv\nd\ne\nem"
     "pty\nen2\nenc\nf\nh\nk\np\ns\ntsv\nu\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '10s/$/x/' a > b; diff -u a b > p; patch --dry-run a p; "
     "cat a",
     "checking file a\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '10s/$/x/' a > b; diff -u a b > p; patch -b a p; ls",
     "patching file a\na\na.orig\nb\nb2\nbin\ncsv\nd\ne\nempty\nen2\nenc\nf\nh\nk\np\ns\ntsv\n"
     "u\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '10s/$/x/' a > b; diff -u a b > p; patch -o c a p; ls; c"
     "at c",
     "patching file c (read from a)\na\nb\nb2\nbin\nc\ncsv\nd\ne\nempty\nen2\nenc\nf\nh\nk\np"
     "\ns\ntsv\nu\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10x\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '10s/$/x/' a > b; diff -u a b | patch a; cat a",
     "patching file a\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10x\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20"
     "\n", "", 0},
    {TEXT_FILES
     "mkdir x y; echo 1 > x/f; echo 2 > y/f; diff -u x/f y/f > p; patch -p0 < p; cat x/f y/f",
     "patching file x/f\n2\n2\n", "", 0},
    {TEXT_FILES
     "mkdir x y; echo 1 > x/f; echo 2 > y/f; diff -u x/f y/f > p; echo 1 > f; patch -p1 < p; c"
     "at f",
     "patching file f\n2\n", "", 0},
    {TEXT_FILES
     "mkdir x y; echo 1 > x/f; echo 2 > y/f; diff -u x/f y/f > p; echo 1 > f; patch < p; cat f",
     "patching file f\n2\n", "", 0},
    {TEXT_FILES
     "mkdir a b; echo new > b/n; diff -urN a b > p; patch -p1 < p; cat n",
     "patching file n\nnew\n", "", 0},
    {TEXT_FILES
     "mkdir a b; echo old > a/n; diff -urN a b > p; cp a/n n; patch -p1 < p; ls",
     "patching file n\na\nb\nb2\nbin\ncsv\nd\ne\nempty\nen2\nenc\nf\nh\nk\np\ns\ntsv\nu\n", "", 0},
    {TEXT_FILES
     "printf -- '--- a/f\\n+++ b/f\\n@@ -1,4 +1,4 @@\\n a\\n-b\\n+B\\n c\\n foo\\n' > p; patch"
     " -p1 < p; cat f",
     "patching file f\na\nB\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "printf -- 'diff --git a/f b/f\\nindex 123..456 100644\\n--- a/f\\n+++ b/f\\n@@ -1,4 +1,4"
     " @@\\n a\\n-b\\n+B\\n c\\n foo\\n' > p; patch -p1 -i p; cat f",
     "patching file f\na\nB\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb' > a; printf 'a\\nc' > b; diff -u a b > p; patch a p; od -c a",
     "patching file a\n0000000   a  \\n   c\n0000003\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb' > a; printf 'a\\nb\\n' > b; diff -u a b > p; patch a p; od -c a",
     "patching file a\n0000000   a  \\n   b  \\n\n0000004\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' > a; printf 'a\\nb' > b; diff -u a b > p; patch a p; od -c a",
     "patching file a\n0000000   a  \\n   b\n0000003\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' > a; : > b; diff -u a b > p; patch a p; ls",
     "patching file a\na\nb\nb2\nbin\ncsv\nd\ne\nempty\nen2\nenc\nf\nh\nk\np\ns\ntsv\nu\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' > a; : > b; diff -u a b > p; patch -E a p; ls",
     "patching file a\nb\nb2\nbin\ncsv\nd\ne\nempty\nen2\nenc\nf\nh\nk\np\ns\ntsv\nu\n", "", 0},
    {TEXT_FILES
     ": > a; printf 'x\\n' > b; diff -u a b > p; patch a p; cat a",
     "patching file a\nx\n", "", 0},
    {TEXT_FILES
     "printf 'a  b\\nc\\n' > a; printf -- '--- a\\n+++ a\\n@@ -1,2 +1,2 @@\\n a b\\n-c\\n+d\\n"
     "' > p; patch -l a p; cat a",
     "patching file a\na  b\nd\n", "", 0},
    {TEXT_FILES
     "printf '%d\\n' {1..20} > a; sed '5d;10s/$/x/;18s/$/z/' a > b; diff -U1 a b > p; sed -i '"
     "10s/$/q/' a; patch a p; cat a",
     "patching file a\nHunk #2 FAILED at 8.\n1 out of 3 hunks FAILED -- saving rejects to file"
     " a.rej\n1\n2\n3\n4\n6\n7\n8\n9\n10q\n11\n12\n13\n14\n15\n16\n17\n18z\n19\n20\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "printf 'garbage\\n' | patch f",
     "",
     "patch: **** Only garbage was found in the patch input.\n", 2},
    {TEXT_FILES
     "patch f nofile",
     "",
     "patch: **** Can't open patch file nofile : No such file or directory\n", 2},
};

void test_patch__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_patch__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}

/* By intent: GNU's does these. Ours does what the lines say, and names the rest. */
void test_patch__names_what_git_asks_for_beyond_lines(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf '1\\n' > f; printf '%s\\n' 'diff --git a/f b/g' 'rename from f' 'rename to g' '--- a/f' '+++ b/f'"
         " '@@ -1 +1 @@' -1 +2 | patch -p1; echo $?; cat f",
         "patching file f\n1\n2\n", "patch: line 2: git's 'rename from f' is not supported, and skipped\n", 0},
        {"printf '%s\\n' 'diff --git a/e b/e' 'new file mode 100644' 'diff --git a/n b/n' 'new file mode 100644'"
         " '--- /dev/null' '+++ b/n' '@@ -0,0 +1 @@' +1 'diff --git a/x b/x' 'new file mode 100755' '--- /dev/null'"
         " '+++ b/x' '@@ -0,0 +1 @@' +1 'diff --git a/o b/o' 'old mode 100644' 'new mode 100755'"
         " | patch -p1; echo $?; ls",
         "patching file n\npatching file x\n1\nn\nx\n",
         "patch: line 2: git's 'new file mode 100644' is not supported, and skipped\n"
         "patch: line 10: git's 'new file mode 100755' is not supported, and skipped\n"
         "patch: line 17: git's 'new mode 100755' is not supported, and skipped\n", 0},
        {"printf '%s\\n' 'diff --git a/b b/b' 'new file mode 100644' 'GIT binary patch' 'literal 0' HcmV | patch -p1",
         "",
         "patch: line 3: git's 'GIT binary patch' is not supported, and skipped\n"
         "patch: **** Only garbage was found in the patch input.\n", 2},
        {"printf 'rename from a\\n--- n\\n+++ n\\n@@ -0,0 +1 @@\\n+1\\n' | patch", "patching file n\n", "", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
