#include "support/test.h"

#include "shell/recorded.h"

static const struct row names[] = {
    {"basename /a/b/c.txt .txt", "c\n", "", 0, NULL},
    {"basename a/", "a\n", "", 0, NULL},
    {"basename /", "/\n", "", 0, NULL},
    {"basename //", "/\n", "", 0, NULL},
    {"basename \"\"", "\n", "", 0, NULL},
    {"basename -a x/y z/w", "y\nw\n", "", 0, NULL},
    {"basename -s .c a.c b/c.c", "a\nc\n", "", 0, NULL},
    {"basename .txt .txt", ".txt\n", "", 0, NULL},
    {"basename a b c", "",
     "basename: extra operand \342\200\230c\342\200\231\nTry 'basename --help' for more information.\n", 1, NULL},
    {"basename", "", "basename: missing operand\nTry 'basename --help' for more information.\n", 1, NULL},
    {"basename -z a | tr '\\0' ,", "a,", "", 0, NULL},
    {"dirname /a/b", "/a\n", "", 0, NULL},
    {"dirname a", ".\n", "", 0, NULL},
    {"dirname /", "/\n", "", 0, NULL},
    {"dirname a/b/ c//d //x", "a\nc\n/\n", "", 0, NULL},
    {"dirname", "", "dirname: missing operand\nTry 'dirname --help' for more information.\n", 1, NULL},
};

static const struct row reals[] = {
    {"readlink l", "f\n", "", 0, NULL},
    {"readlink f", "", "", 1, NULL},
    {"readlink -v f nope", "", "readlink: f: Invalid argument\nreadlink: nope: No such file or directory\n", 1,
     NULL},
    {"readlink -n l", "f", "", 0, NULL},
    {"readlink -n l bad", "f\nnowhere\n", "readlink: ignoring --no-newline with multiple arguments\n", 0, NULL},
    {"realpath --relative-to=d f", "../f\n", "", 0, NULL},
    {"realpath --relative-to=d/e f d/x .", "../../f\n../x\n../..\n", "", 0, NULL},
    {"realpath --relative-to=. d/e", "d/e\n", "", 0, NULL},
    {"realpath --relative-to=d d", ".\n", "", 0, NULL},
    {"realpath nope/x", "", "realpath: nope/x: No such file or directory\n", 1, NULL},
    {"realpath -e nope", "", "realpath: nope: No such file or directory\n", 1, NULL},
    {"realpath -q nope/x", "", "", 1, NULL},
    {"realpath", "", "realpath: missing operand\nTry 'realpath --help' for more information.\n", 1, NULL},
    {"readlink -e bad", "", "", 1, NULL},
    {"readlink -f bad/x", "", "", 1, NULL},
};

static const struct row modes[] = {
    {"chmod 600 f; stat -c %a f d d/x", "600\n755\n640\n", "", 0, NULL},
    {"chmod u+x,go-r f; stat -c %a f d d/x", "700\n755\n640\n", "", 0, NULL},
    {"chmod -R go-rwx d; stat -c %a f d d/x", "644\n700\n600\n", "", 0, NULL},
    {"chmod +x f; stat -c %a f d d/x", "755\n755\n640\n", "", 0, NULL},
    {"chmod a=r f; stat -c %a f d d/x", "444\n755\n640\n", "", 0, NULL},
    {"chmod -w f; stat -c %a f d d/x", "444\n755\n640\n", "", 0, NULL},
    {"chmod -v 600 f; stat -c %a f d d/x", "mode of 'f' changed from 0644 (rw-r--r--) to 0600 (rw-------)\n"
     "600\n755\n640\n", "", 0, NULL},
    {"chmod -c 644 f; stat -c %a f d d/x", "644\n755\n640\n", "", 0, NULL},
    {"chmod -c 600 f; stat -c %a f d d/x", "mode of 'f' changed from 0644 (rw-r--r--) to 0600 (rw-------)\n"
     "600\n755\n640\n", "", 0, NULL},
    {"chmod 999 f; stat -c %a f d d/x", "644\n755\n640\n",
     "chmod: invalid mode: \342\200\230999\342\200\231\nTry 'chmod --help' for more information.\n", 0, NULL},
    {"chmod zz f; stat -c %a f d d/x", "644\n755\n640\n",
     "chmod: invalid mode: \342\200\230zz\342\200\231\nTry 'chmod --help' for more information.\n", 0, NULL},
    {"chmod 644 nope; stat -c %a f d d/x", "644\n755\n640\n",
     "chmod: cannot access 'nope': No such file or directory\n", 0, NULL},
    {"chmod 644 bad; stat -c %a f d d/x", "644\n755\n640\n", "chmod: cannot operate on dangling symlink 'bad'\n", 0,
     NULL},
    {"chmod --reference=d/x f; stat -c %a f d d/x", "640\n755\n640\n", "", 0, NULL},
    {"chmod u=g f; stat -c %a f d d/x", "444\n755\n640\n", "", 0, NULL},
    {"chmod g+s d; stat -c %a f d d/x", "644\n2755\n640\n", "", 0, NULL},
    {"chmod +t d; stat -c %a f d d/x", "644\n1755\n640\n", "", 0, NULL},
    {"chmod a+X f d; stat -c %a f d d/x", "644\n755\n640\n", "", 0, NULL},
    {"chmod; stat -c %a f d d/x", "644\n755\n640\n",
     "chmod: missing operand\nTry 'chmod --help' for more information.\n", 0, NULL},
    {"chmod 644; stat -c %a f d d/x", "644\n755\n640\n",
     "chmod: missing operand after \342\200\230644\342\200\231\nTry 'chmod --help' for more information.\n", 0,
     NULL},
    {"chmod -rwx f; stat -c %a f d d/x", "0\n755\n640\n", "", 0, NULL},
    {"chmod -f 644 nope; stat -c %a f d d/x", "644\n755\n640\n", "", 0, NULL},
    {"chmod 2775 d; stat -c %a f d d/x", "644\n2775\n640\n", "", 0, NULL},
    {"chmod =rx f; stat -c %a f d d/x", "555\n755\n640\n", "", 0, NULL},
};

static const struct row sizes[] = {
    {"truncate -s 5 f; wc -c f n 2>&1", "5 f\nwc: n: No such file or directory\n5 total\n", "", 1, NULL},
    {"truncate -s +5 f; wc -c f n 2>&1", "8 f\nwc: n: No such file or directory\n8 total\n", "", 1, NULL},
    {"truncate -s -1 f; wc -c f n 2>&1", "2 f\nwc: n: No such file or directory\n2 total\n", "", 1, NULL},
    {"truncate -s '<1' f; wc -c f n 2>&1", "1 f\nwc: n: No such file or directory\n1 total\n", "", 1, NULL},
    {"truncate -s '>10' f; wc -c f n 2>&1", "10 f\nwc: n: No such file or directory\n10 total\n", "", 1, NULL},
    {"truncate -s %4 f; wc -c f n 2>&1", "4 f\nwc: n: No such file or directory\n4 total\n", "", 1, NULL},
    {"truncate -s /2 f; wc -c f n 2>&1", "2 f\nwc: n: No such file or directory\n2 total\n", "", 1, NULL},
    {"truncate -s 1K n; wc -c f n 2>&1", "   3 f\n1024 n\n1027 total\n", "", 0, NULL},
    {"truncate -c -s 3 n; wc -c f n 2>&1", "3 f\nwc: n: No such file or directory\n3 total\n", "", 1, NULL},
    {"truncate f; wc -c f n 2>&1", "3 f\nwc: n: No such file or directory\n3 total\n",
     "truncate: you must specify either \342\200\230--size\342\200\231 or \342\200\230--reference\342\200"
     "\231\nTry 'truncate --help' for more information.\n", 1, NULL},
    {"truncate -s x f; wc -c f n 2>&1", "3 f\nwc: n: No such file or directory\n3 total\n",
     "truncate: Invalid number: \342\200\230x\342\200\231\n", 1, NULL},
    {"truncate -r d/x f; wc -c f n 2>&1", "2 f\nwc: n: No such file or directory\n2 total\n", "", 1, NULL},
    {"truncate -s +1 -r d/x f; wc -c f n 2>&1", "3 f\nwc: n: No such file or directory\n3 total\n", "", 1, NULL},
    {"truncate -s 3 d; wc -c f n 2>&1", "3 f\nwc: n: No such file or directory\n3 total\n",
     "truncate: cannot open 'd' for writing: Is a directory\n", 1, NULL},
    {"truncate -s 0 nope/x; wc -c f n 2>&1", "3 f\nwc: n: No such file or directory\n3 total\n",
     "truncate: cannot open 'nope/x' for writing: No such file or directory\n", 1, NULL},
};

void test_cmds_path__basename_and_dirname(void **state)
{
    (void)state;

    CHECK("mkdir -p d/e; echo hi > f; echo x > d/x; ln -s f l; ln -s nowhere bad; ln -s ../f d/up; ln -s d ld; "
          "chmod 640 d/x",
          names);
}

void test_cmds_path__readlink_and_realpath(void **state)
{
    (void)state;

    CHECK("mkdir -p d/e; echo hi > f; echo x > d/x; ln -s f l; ln -s nowhere bad; ln -s ../f d/up; ln -s d ld; "
          "chmod 640 d/x",
          reals);
}

void test_cmds_path__chmod(void **state)
{
    (void)state;

    CHECK("mkdir -p d/e; echo hi > f; echo x > d/x; ln -s f l; ln -s nowhere bad; ln -s ../f d/up; ln -s d ld; "
          "chmod 640 d/x",
          modes);
}

void test_cmds_path__truncate(void **state)
{
    (void)state;

    CHECK("mkdir -p d/e; echo hi > f; echo x > d/x; ln -s f l; ln -s nowhere bad; ln -s ../f d/up; ln -s d ld; "
          "chmod 640 d/x",
          sizes);
}
