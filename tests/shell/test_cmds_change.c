#include "support/test.h"

#include "shell/recorded.h"

static const struct row dirs[] = {
    {"mkdir a", "", "", 0, "a/ bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir -p a/b/c d/e", "", "", 0,
     "a/ a/b/ a/b/c/ bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir -v -p a/b//c/ q", "mkdir: created directory 'a'\nmkdir: created directory 'a/b'\n"
     "mkdir: created directory 'a/b//c/'\nmkdir: created directory 'q'\n", "", 0,
     "a/ a/b/ a/b/c/ bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ q/ t/ t/d/ t/d/q "},
    {"mkdir d", "", "mkdir: cannot create directory \342\200\230d\342\200\231: File exists\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir f", "", "mkdir: cannot create directory \342\200\230f\342\200\231: File exists\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir -p f", "", "mkdir: cannot create directory \342\200\230f\342\200\231: File exists\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir -p f/x", "", "mkdir: cannot create directory \342\200\230f\342\200\231: Not a directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir a/b", "", "mkdir: cannot create directory \342\200\230a/b\342\200\231: No such file or directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir -m 700 a b && stat -c %a a", "700\n", "", 0,
     "a/ b/ bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir -pm 1777 a/b && stat -c %a a a/b", "755\n1777\n", "", 0,
     "a/ a/b/ bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir", "", "mkdir: missing operand\nTry 'mkdir --help' for more information.\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mkdir -m zz a", "", "mkdir: invalid mode \342\200\230zz\342\200\231\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rmdir d/e", "", "", 0, "bad@ d/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rmdir d", "", "rmdir: failed to remove 'd': Directory not empty\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rmdir -p t/d", "", "rmdir: failed to remove 't/d': Directory not empty\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rmdir -v d/e", "rmdir: removing directory, 'd/e'\n", "", 0,
     "bad@ d/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rmdir nope", "", "rmdir: failed to remove 'nope': No such file or directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rmdir f", "", "rmdir: failed to remove 'f': Not a directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rmdir --ignore-fail-on-non-empty d", "", "", 0,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
};

static const struct row removals[] = {
    {"rm f", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm nope", "", "rm: cannot remove 'nope': No such file or directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm -f nope", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm d", "", "rm: cannot remove 'd': Is a directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm -r t", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ "},
    {"rm -rv em f", "removed directory 'em'\nremoved 'f'\n", "", 0,
     "bad@ d/ d/e/ d/f/ d/up@ d/x g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm -d d/e", "", "", 0, "bad@ d/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm -d d", "", "rm: cannot remove 'd': Directory not empty\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm", "", "rm: missing operand\nTry 'rm --help' for more information.\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm -f", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm l", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard ld@ t/ t/d/ t/d/q "},
    {"rm -rf d l nope", "", "", 0, "bad@ em/ f g* hard ld@ t/ t/d/ t/d/q "},
    {"rm -r d/.", "", "rm: refusing to remove '.' or '..' directory: skipping 'd/.'\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm -r ..", "", "rm: refusing to remove '.' or '..' directory: skipping '..'\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm 'a b'", "", "rm: cannot remove 'a b': No such file or directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm -rf d/e/", "", "", 0, "bad@ d/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm f/", "", "rm: cannot remove 'f/': Not a directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm l/", "", "rm: cannot remove 'l/': Not a directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"rm -rf /", "",
     "rm: it is dangerous to operate recursively on '/'\nrm: use --no-preserve-root to override this fails"
     "afe\n", 1, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"printf 'y\\n' | rm -i f", "", "rm: remove regular file 'f'? ", 0,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"printf 'n\\n' | rm -i f", "", "rm: remove regular file 'f'? ", 0,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"printf 'y\\n' | rm -I f g l bad", "", "rm: remove 4 arguments? ", 0,
     "d/ d/e/ d/f/ d/up@ d/x em/ hard ld@ t/ t/d/ t/d/q "},
    {"rm -v f g", "removed 'f'\nremoved 'g'\n", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ hard l@ ld@ t/ t/d/ t/d/q "},
};

static const struct row moves[] = {
    {"mv f", "", "mv: missing destination file operand after 'f'\nTry 'mv --help' for more information.\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv f f", "", "mv: 'f' and 'f' are the same file\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv d d", "", "mv: cannot move 'd' to a subdirectory of itself, 'd/d'\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv nope g", "", "mv: cannot stat 'nope': No such file or directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv d e/nope/x", "", "mv: cannot move 'd' to 'e/nope/x': No such file or directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv -v f g", "renamed 'f' -> 'g'\n", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ g hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv g d", "", "", 0, "bad@ d/ d/e/ d/f/ d/g* d/up@ d/x em/ f hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv d f", "", "mv: cannot overwrite non-directory 'f' with directory 'd'\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv -v d t", "", "mv: cannot move 'd' to 't/d': Directory not empty\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv -T f d", "", "mv: cannot overwrite directory 'd' with non-directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv f g t", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ hard l@ ld@ t/ t/d/ t/d/q t/f t/g* "},
    {"mv f g nope", "", "mv: target 'nope': No such file or directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv -n f g", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv -b f g", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ g g~* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv f nope/", "", "mv: cannot move 'f' to 'nope/': Not a directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv -t t f g", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ hard l@ ld@ t/ t/d/ t/d/q t/f t/g* "},
    {"mv l t", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard ld@ t/ t/d/ t/d/q t/l@ "},
    {"mv ld n", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ n@ t/ t/d/ t/d/q "},
    {"mv -T em d", "", "mv: cannot move 'em' to 'd': Directory not empty\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv -T d em", "", "", 0, "bad@ em/ em/e/ em/f/ em/up@ em/x f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv hard f", "", "mv: 'hard' and 'f' are the same file\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv d/x d/e/../y", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/y em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv -v em t/", "renamed 'em' -> 't/em'\n", "", 0,
     "bad@ d/ d/e/ d/f/ d/up@ d/x f g* hard l@ ld@ t/ t/d/ t/d/q t/em/ "},
    {"mv bad f", "", "", 0, "d/ d/e/ d/f/ d/up@ d/x em/ f@ g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"printf 'n\\n' | mv -i f g", "", "mv: overwrite 'g'? ", 0,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"mv -v em em2", "renamed 'em' -> 'em2'\n", "", 0,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em2/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
};

static const struct row links[] = {
    {"ln -s a b", "", "", 0, "b@ bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -s a f", "", "ln: failed to create symbolic link 'f': File exists\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -s x y t", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q t/x@ t/y@ "},
    {"ln nope q", "", "ln: failed to access 'nope': No such file or directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln d q", "", "ln: d: hard link not allowed for directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln g t", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q t/g* "},
    {"ln -v g h", "'h' => 'g'\n", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* h* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -sv g t/h", "'t/h' -> 'g'\n", "", 0,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q t/h@ "},
    {"ln -sfv g f", "'f' -> 'g'\n", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f@ g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln g f", "", "ln: failed to create hard link 'f': File exists\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -s", "", "ln: missing file operand\nTry 'ln --help' for more information.\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -s d/x", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q x@ "},
    {"ln d/x", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q x "},
    {"ln -srv d/x rel", "'rel' -> 'd/x'\n", "", 0,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ rel@ t/ t/d/ t/d/q "},
    {"ln -sr f d/e/k && readlink d/e/k", "../../f\n", "", 0,
     "bad@ d/ d/e/ d/e/k@ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -s x y nope", "", "ln: target 'nope': No such file or directory\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -sfn t ld", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -sf t ld", "", "", 0, "bad@ d/ d/e/ d/f/ d/t@ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -sb g f", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f@ f~ g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -fv g f", "'f' => 'g'\n", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f* g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -f f hard", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln l nl", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ nl@ t/ t/d/ t/d/q "},
    {"ln -L l nl", "", "", 0, "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ nl t/ t/d/ t/d/q "},
    {"ln -sT a d", "", "ln: failed to create symbolic link 'd': File exists\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
    {"ln -r a b", "", "ln: cannot do --relative without --symbolic\n", 1,
     "bad@ d/ d/e/ d/f/ d/up@ d/x em/ f g* hard l@ ld@ t/ t/d/ t/d/q "},
};

void test_cmds_change__folders_are_made_and_removed(void **state)
{
    (void)state;

    CHECK("mkdir -p d/e t/d em; echo hi > f; echo g > g; echo x > d/x; ln -s f l; ln -s nowhere bad; ln -s ../f"
          " d/up; ln -s d ld; chmod 640 d/x; chmod 755 g; ln f hard; mkdir d/f; echo q > t/d/q",
          dirs);
}

void test_cmds_change__files_are_removed(void **state)
{
    (void)state;

    CHECK("mkdir -p d/e t/d em; echo hi > f; echo g > g; echo x > d/x; ln -s f l; ln -s nowhere bad; ln -s ../f"
          " d/up; ln -s d ld; chmod 640 d/x; chmod 755 g; ln f hard; mkdir d/f; echo q > t/d/q",
          removals);
}

void test_cmds_change__files_are_moved(void **state)
{
    (void)state;

    CHECK("mkdir -p d/e t/d em; echo hi > f; echo g > g; echo x > d/x; ln -s f l; ln -s nowhere bad; ln -s ../f"
          " d/up; ln -s d ld; chmod 640 d/x; chmod 755 g; ln f hard; mkdir d/f; echo q > t/d/q",
          moves);
}

void test_cmds_change__links_are_made(void **state)
{
    (void)state;

    CHECK("mkdir -p d/e t/d em; echo hi > f; echo g > g; echo x > d/x; ln -s f l; ln -s nowhere bad; ln -s ../f"
          " d/up; ln -s d ld; chmod 640 d/x; chmod 755 g; ln f hard; mkdir d/f; echo q > t/d/q",
          links);
}
