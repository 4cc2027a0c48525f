/*
 * find on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "find . | sort",
     ".\n./b2\n./bin\n./csv\n./d\n./d/x.c\n./d/y.h\n./e\n./empty\n./en2\n./enc\n./f\n./h\n./k"
     "\n./s\n./tsv\n./u\n", "", 0},
    {TEXT_FILES
     "find d",
     "d\nd/x.c\nd/y.h\n", "", 0},
    {TEXT_FILES
     "find . -name '*.c'",
     "./d/x.c\n", "", 0},
    {TEXT_FILES
     "find . -iname '*.C'",
     "./d/x.c\n", "", 0},
    {TEXT_FILES
     "find . -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find d -name d",
     "d\n", "", 0},
    {TEXT_FILES
     "find d/ -name d",
     "d/\n", "", 0},
    {TEXT_FILES
     "find d/",
     "d/\nd/x.c\nd/y.h\n", "", 0},
    {TEXT_FILES
     "find . -type f -name '[a-f]' | sort",
     "./e\n./f\n", "", 0},
    {TEXT_FILES
     "find . -type d",
     ".\n./d\n", "", 0},
    {TEXT_FILES
     "find . -type l | sort",
     "", "", 0},
    {TEXT_FILES
     "find . -type f,l | sort",
     "./b2\n./bin\n./csv\n./d/x.c\n./d/y.h\n./e\n./empty\n./en2\n./enc\n./f\n./h\n./k\n./s\n./"
     "tsv\n./u\n", "", 0},
    {TEXT_FILES
     "find . -xtype d | sort",
     ".\n./d\n", "", 0},
    {TEXT_FILES
     "find . -size +0 -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -size 1 -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -size -1 | sort",
     "./empty\n", "", 0},
    {TEXT_FILES
     "find . -size 0",
     "./empty\n", "", 0},
    {TEXT_FILES
     "find . -size 1k -name 's'",
     "./s\n", "", 0},
    {TEXT_FILES
     "find . -empty",
     "./empty\n", "", 0},
    {TEXT_FILES
     "find . -maxdepth 0",
     ".\n", "", 0},
    {TEXT_FILES
     "find . -maxdepth 1 -type d",
     ".\n./d\n", "", 0},
    {TEXT_FILES
     "find . -mindepth 1 -maxdepth 1 -type d",
     "./d\n", "", 0},
    {TEXT_FILES
     "find . -mindepth 2",
     "./d/x.c\n./d/y.h\n", "", 0},
    {TEXT_FILES
     "find . -depth -name 'd*'",
     "./d\n", "", 0},
    {TEXT_FILES
     "find d -depth",
     "d/x.c\nd/y.h\nd\n", "", 0},
    {TEXT_FILES
     "find d -prune",
     "d\n", "", 0},
    {TEXT_FILES
     "find . -name d -prune -o -type f -name '[a-f]' -print | sort",
     "./e\n./f\n", "", 0},
    {TEXT_FILES
     "find . -path ./d -prune -o -name '*.h' -print",
     "", "", 0},
    {TEXT_FILES
     "find . -path './d/*'",
     "./d/x.c\n./d/y.h\n", "", 0},
    {TEXT_FILES
     "find . -path 'd/*'",
     "", "", 0},
    {TEXT_FILES
     "find . -regex '.*/[fk]' | sort",
     "./f\n./k\n", "", 0},
    {TEXT_FILES
     "find . -regex '.*\\(f\\|k\\)' | sort",
     "./f\n./k\n", "", 0},
    {TEXT_FILES
     "find . -regextype posix-extended -regex '.*/(f|k)' | sort",
     "./f\n./k\n", "", 0},
    {TEXT_FILES
     "find . -regextype egrep -regex '\\./[fk]+' | sort",
     "./f\n./k\n", "", 0},
    {TEXT_FILES
     "find . -iregex '.*/F'",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -regex 'f'",
     "", "", 0},
    {TEXT_FILES
     "find . -name f -exec echo {} \\;",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -name f -exec echo a{}b {} \\;",
     "a./fb ./f\n", "", 0},
    {TEXT_FILES
     "find . -name '*.c' -exec cat {} \\;",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "find d -type f -exec echo {} +",
     "d/x.c d/y.h\n", "", 0},
    {TEXT_FILES
     "find d -type f -exec echo x {} + -exec echo y {} \\;",
     "y d/x.c\ny d/y.h\nx d/x.c d/y.h\n", "", 0},
    {TEXT_FILES
     "find d -type f -exec false {} +",
     "", "", 1},
    {TEXT_FILES
     "find d -type f -exec false \\; -print",
     "", "", 0},
    {TEXT_FILES
     "find d -type f ! -exec false \\; -print",
     "d/x.c\nd/y.h\n", "", 0},
    {TEXT_FILES
     "find d -execdir echo {} \\;",
     "./d\n./x.c\n./y.h\n", "", 0},
    {TEXT_FILES
     "find d -type f -execdir echo {} +",
     "./x.c ./y.h\n", "", 0},
    {TEXT_FILES
     "find d -name '*.c' -delete; find d",
     "d\nd/y.h\n", "", 0},
    {TEXT_FILES
     "find d -delete; ls",
     "b2\nbin\ncsv\ne\nempty\nen2\nenc\nf\nh\nk\ns\ntsv\nu\n", "", 0},
    {TEXT_FILES
     "find . -name 'f' -o -name 'k' | sort",
     "./f\n./k\n", "", 0},
    {TEXT_FILES
     "find . \\( -name f -o -name k \\) -print | sort",
     "./f\n./k\n", "", 0},
    {TEXT_FILES
     "find . -name f -o -name k -print",
     "./k\n", "", 0},
    {TEXT_FILES
     "find . ! -name '*.c' -path './d/*'",
     "./d/y.h\n", "", 0},
    {TEXT_FILES
     "find . -not -name '*.c' -path './d/*'",
     "./d/y.h\n", "", 0},
    {TEXT_FILES
     "find . -name f , -name k | sort",
     "./k\n", "", 0},
    {TEXT_FILES
     "find . -name f -a -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -name f -and -type f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -type f -name f -true",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -false",
     "", "", 0},
    {TEXT_FILES
     "find . -name f -false -o -name k",
     "./k\n", "", 0},
    {TEXT_FILES
     "find f k h",
     "f\nk\nh\n", "", 0},
    {TEXT_FILES
     "find -L . -name x.c | sort",
     "./d/x.c\n", "", 0},
    {TEXT_FILES
     "find . -lname f",
     "", "", 0},
    {TEXT_FILES
     "find . -lname 'd*'",
     "", "", 0},
    {TEXT_FILES
     "find . -samefile f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find -L . -samefile f | sort",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -perm 644 -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -perm -400 -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -perm /111 | sort",
     ".\n./d\n", "", 0},
    {TEXT_FILES
     "find . -perm u=rw,go=r -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -perm -u+w -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -links 2 -type d",
     "./d\n", "", 0},
    {TEXT_FILES
     "find . -links +1 -type f",
     "", "", 0},
    {TEXT_FILES
     "find . -readable -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -executable -type f",
     "", "", 0},
    {TEXT_FILES
     "find . -mmin -5 -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -mmin +5",
     "", "", 0},
    {TEXT_FILES
     "find . -mtime 0 -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -mtime -1 -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -mtime +1",
     "", "", 0},
    {TEXT_FILES
     "find d -printf '%p|%f|%h|%H|%P|%d\\n' | sort",
     "d/x.c|x.c|d|d|x.c|1\nd/y.h|y.h|d|d|y.h|1\nd|d|.|d||0\n", "", 0},
    {TEXT_FILES
     "find ./d/ -printf '%p|%f|%h|%H|%P|%d\\n' | sort",
     "./d/x.c|x.c|./d|./d/|x.c|1\n./d/y.h|y.h|./d|./d/|y.h|1\n./d/|d/|.|./d/||0\n", "", 0},
    {TEXT_FILES
     "find f -printf '%10p|%-10p|%5s|%05s|%.1p\\n'",
     "         f|f         |   10|   10|f\n", "", 0},
    {TEXT_FILES
     "find f -printf '%f\\c%p\\n'",
     "f", "", 0},
    {TEXT_FILES
     "find f -printf '%k %b\\n'",
     "4 8\n", "", 0},
    {TEXT_FILES
     "find / -maxdepth 0 -printf '%p|%f|%h|%P\\n'",
     "/|/||\n", "", 0},
    {TEXT_FILES
     "find . -maxdepth 0 -printf '%p|%f|%h|%P\\n'",
     ".|.|.|\n", "", 0},
    {TEXT_FILES
     "find f -fprint out; cat out",
     "f\n", "", 0},
    {TEXT_FILES
     "find f -fprintf out '%f\\n'; cat out",
     "f\n", "", 0},
    {TEXT_FILES
     "find d -name '*.c' -quit",
     "", "", 0},
    {TEXT_FILES
     "find d -print -quit",
     "d\n", "", 0},
    {TEXT_FILES
     "find d -name '*.c' -print -quit",
     "d/x.c\n", "", 0},
    {TEXT_FILES
     "find d -type f -print -exec echo {} \\;",
     "d/x.c\nd/x.c\nd/y.h\nd/y.h\n", "", 0},
    {TEXT_FILES
     "find . -noleaf -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -xdev -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -mount -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -daystart -mtime 0 -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find -maxdepth 1 -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find -O2 . -name f",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -name f -print -o -name k",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -inum 1",
     "", "", 0},
    {TEXT_FILES
     "find . -name '.*'",
     ".\n", "", 0},
    {TEXT_FILES
     "find . -name '*' -type d | sort",
     ".\n./d\n", "", 0},
    {TEXT_FILES
     "find . -wholename './f'",
     "./f\n", "", 0},
    {TEXT_FILES
     "find . -path '*d*' -type f",
     "./d/x.c\n./d/y.h\n", "", 0},
    {TEXT_FILES
     "find f -name f -printf \"%f\\n\" -name f",
     "f\n", "", 0},
    {TEXT_FILES
     "find . -type f -size -2 -name k",
     "./k\n", "", 0},
    {TEXT_FILES
     "find . -anewer f -name zz",
     "", "", 0},
    {TEXT_FILES
     "find . -empty -delete; ls",
     "b2\nbin\ncsv\nd\ne\nen2\nenc\nf\nh\nk\ns\ntsv\nu\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "find . -type x",
     "",
     "find: Unknown argument to -type: x\n", 1},
    {TEXT_FILES
     "find . -type fd",
     "",
     "find: Must separate multiple arguments to -type using: ','\n", 1},
    {TEXT_FILES
     "find . -size x",
     "",
     "find: invalid -size type `x'\n", 1},
    {TEXT_FILES
     "find . -size 5q",
     "",
     "find: invalid -size type `q'\n", 1},
    {TEXT_FILES
     "find . -maxdepth x",
     "",
     "find: Expected a positive decimal integer argument to -maxdepth, but got \342\200\230x"
     "\342\200\231\n", 1},
    {TEXT_FILES
     "find . -regex '\\('",
     "",
     "find: failed to compile regular expression '\\(': Unmatched ( or \\(\n", 1},
    {TEXT_FILES
     "find . -newer nofile",
     "",
     "find: \342\200\230nofile\342\200\231: No such file or directory\n", 1},
    {TEXT_FILES
     "find . -name",
     "",
     "find: missing argument to `-name'\n", 1},
    {TEXT_FILES
     "find . -exec",
     "",
     "find: missing argument to `-exec'\n", 1},
    {TEXT_FILES
     "find . -exec echo",
     "",
     "find: missing argument to `-exec'\n", 1},
    {TEXT_FILES
     "find d -type d -delete; ls",
     "b2\nbin\ncsv\nd\ne\nempty\nen2\nenc\nf\nh\nk\ns\ntsv\nu\n",
     "find: cannot delete \342\200\230d\342\200\231: Directory not empty\n", 0},
    {TEXT_FILES
     "find . \\( -name f",
     "",
     "find: invalid expression; I was expecting to find a ')' somewhere but did not see one.\n", 1},
    {TEXT_FILES
     "find . -name f \\)",
     "",
     "find: you have too many ')'\n", 1},
    {TEXT_FILES
     "find . \\( \\)",
     "",
     "find: invalid expression; empty parentheses are not allowed.\n", 1},
    {TEXT_FILES
     "find . -o -name f",
     "",
     "find: invalid expression; you have used a binary operator '-o' with nothing before it.\n", 1},
    {TEXT_FILES
     "find . -name f -o",
     "",
     "find: expected an expression after '-o'\n", 1},
    {TEXT_FILES
     "find . !",
     "",
     "find: expected an expression after '!'\n", 1},
    {TEXT_FILES
     "find . -name f foo",
     "",
     "find: paths must precede expression: `foo'\n", 1},
    {TEXT_FILES
     "find nofile",
     "",
     "find: \342\200\230nofile\342\200\231: No such file or directory\n", 1},
    {TEXT_FILES
     "find f nofile k",
     "f\nk\n",
     "find: \342\200\230nofile\342\200\231: No such file or directory\n", 1},
    {TEXT_FILES
     "find sl",
     "",
     "find: \342\200\230sl\342\200\231: No such file or directory\n", 1},
    {TEXT_FILES
     "find -L sl",
     "",
     "find: \342\200\230sl\342\200\231: No such file or directory\n", 1},
    {TEXT_FILES
     "find -H sd | sort",
     "",
     "find: \342\200\230sd\342\200\231: No such file or directory\n", 0},
    {TEXT_FILES
     "find -L sd -type f",
     "",
     "find: \342\200\230sd\342\200\231: No such file or directory\n", 1},
    {TEXT_FILES
     "find . -perm zz",
     "",
     "find: invalid mode \342\200\230zz\342\200\231\n", 1},
    {TEXT_FILES
     "find . -mtime x",
     "",
     "find: invalid argument `x' to `-mtime'\n", 1},
    {TEXT_FILES
     "find sl sd -maxdepth 0 -printf '%p %l %y %Y\\n'",
     "",
     "find: \342\200\230sl\342\200\231: No such file or directory\nfind: \342\200\230sd\342"
     "\200\231: No such file or directory\n", 1},
    {TEXT_FILES
     "find ''",
     "",
     "find: \342\200\230\342\200\231: No such file or directory\n", 1},
};

void test_find__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_find__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
