/*
 * tree: lines, sums, and the same as JSON and XML.
 */
#include "support/shell.h"

#define FILES "mkdir -p t/a t/b; echo x > t/a/f; echo 12345 > t/g; ln -s g t/l; "

static const struct test_shell_row rows[] = {
    {FILES "tree t", "t\n├── a\n│\u00a0\u00a0 └── f\n├── b\n├── g\n└── l -> g\n\n3 directories, 3 files\n", "", 0},
    {FILES "tree --noreport -L 1 -d t", "t\n├── a\n└── b\n", "", 0},
    {FILES "tree -s --noreport t/a", NULL, "", 0},
    {FILES "tree -J t | jq -c '.[0].contents[0].contents'", "[{\"type\":\"file\",\"name\":\"f\"}]\n", "", 0},
    {FILES "tree -X --noreport t/a", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tree>\n  <directory name=\"t/a\">\n"
     "    <file name=\"f\"></file>\n  </directory>\n</tree>\n", "", 0},
    {FILES "tree -ug --noreport t/a", "[user     user    ]  t/a\n└── [user     user    ]  f\n", "", 0},
    {FILES "touch t/v2 t/v10; tree -v -i --noreport -P 'v*' -I 'a|b' t", "t\nv2\nv10\n", "", 0},
    {"tree none", "none  [error opening dir]\n\n0 directories, 0 files\n", "", 2},
    {"tree -U", "", NULL, 2},
};

void test_tree__shows_folders(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(rows);
}
