#include "support/test.h"

#include "shell/recorded.h"

static const struct row lists[] = {
    {"ls", "a b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls -a", ".\n..\n.dot\n.hid\na b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\n"
     "file11.txt\nfile12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\n"
     "file6.txt\nfile7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\n"
     "n\nl\nv1.10\nv1.9\n\303\251\n", "", 0, NULL},
    {"ls -A", ".dot\n.hid\na b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\n"
     "file11.txt\nfile12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\n"
     "file6.txt\nfile7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\n"
     "n\nl\nv1.10\nv1.9\n\303\251\n", "", 0, NULL},
    {"ls -1", "a b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls -C", "a b    bad\t  file10.txt  file2.txt  file5.txt  file8.txt  ldir  v1.10\n"
     "a:b    dir\t  file11.txt  file3.txt  file6.txt  file9.txt  lnk   v1.9\n"
     "back~  file1.txt  file12.txt  file4.txt  file7.txt  it's       n\n"
     "l    \303\251\n", "", 0, NULL},
    {"ls -x", "a b\t    a:b\t\tback~\t   bad\t      dir\t file1.txt  file10.txt\n"
     "file11.txt  file12.txt\tfile2.txt  file3.txt  file4.txt  file5.txt  file6.txt\n"
     "file7.txt   file8.txt\tfile9.txt  it's       ldir\t lnk\t    n\n"
     "l\nv1.10\t    v1.9\t\303\251\n", "", 0, NULL},
    {"ls -m", "a b, a:b, back~, bad, dir, file1.txt, file10.txt, file11.txt, file12.txt,\n"
     "file2.txt, file3.txt, file4.txt, file5.txt, file6.txt, file7.txt, file8.txt,\n"
     "file9.txt, it's, ldir, lnk, n\nl, v1.10, v1.9, \303\251\n", "", 0, NULL},
    {"ls -C -w 40", "a b\t   file10.txt  file5.txt  ldir\na:b\t   file11.txt  file6.txt  lnk\n"
     "back~\t   file12.txt  file7.txt  n\nl\nbad\t   file2.txt   file8.txt  v1.10\n"
     "dir\t   file3.txt   file9.txt  v1.9\nfile1.txt  file4.txt   it's\t  \303\251\n", "", 0, NULL},
    {"ls -x -w 60",
     "a b\t   a:b\t       back~\t   bad\t       dir\nfile1.txt  file10.txt  file11.txt  file12.txt  file2."
     "txt\nfile3.txt  file4.txt   file5.txt   file6.txt   file7.txt\n"
     "file8.txt  file9.txt   it's\t   ldir        lnk\nn\nl\t   v1.10       v1.9\t   \303\251\n", "", 0, NULL},
    {"ls -CF", "a b    bad@\t  file10.txt  file2.txt*  file5.txt  file8.txt\tldir@  v1.10\n"
     "a:b    dir/\t  file11.txt  file3.txt   file6.txt  file9.txt\tlnk@   v1.9\n"
     "back~  file1.txt  file12.txt  file4.txt   file7.txt  it's\tn\n"
     "l     \303\251\n", "", 0, NULL},
    {"ls -F", "a b\na:b\nback~\nbad@\ndir/\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt*\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir@\nlnk@\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls -p", "a b\na:b\nback~\nbad\ndir/\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls --file-type", "a b\na:b\nback~\nbad@\ndir/\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir@\nlnk@\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls -X", "a b\na:b\nback~\nbad\ndir\nit's\nldir\nlnk\nn\nl\n\303\251\nv1.10\n"
     "v1.9\nfile1.txt\nfile10.txt\nfile11.txt\nfile12.txt\nfile2.txt\n"
     "file3.txt\nfile4.txt\nfile5.txt\nfile6.txt\nfile7.txt\nfile8.txt\n"
     "file9.txt\n", "", 0, NULL},
    {"ls -v", "a b\na:b\nback~\nbad\ndir\nfile1.txt\nfile2.txt\nfile3.txt\nfile4.txt\n"
     "file5.txt\nfile6.txt\nfile7.txt\nfile8.txt\nfile9.txt\nfile10.txt\n"
     "file11.txt\nfile12.txt\nit's\nldir\nlnk\nn\nl\nv1.9\nv1.10\n\303\251\n", "", 0, NULL},
    {"ls -r", "\303\251\nv1.9\nv1.10\nn\nl\nlnk\nldir\nit's\nfile9.txt\nfile8.txt\n"
     "file7.txt\nfile6.txt\nfile5.txt\nfile4.txt\nfile3.txt\nfile2.txt\n"
     "file12.txt\nfile11.txt\nfile10.txt\nfile1.txt\ndir\nbad\nback~\n"
     "a:b\na b\n", "", 0, NULL},
    {"ls -R", ".:\na b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n\n./dir:\nsub\nx\n\n./dir/sub:\n", "", 0, NULL},
    {"ls -d", ".\n", "", 0, NULL},
    {"ls -d dir file1.txt", "dir\nfile1.txt\n", "", 0, NULL},
    {"ls dir file1.txt", "file1.txt\n\ndir:\nsub\nx\n", "", 0, NULL},
    {"ls file1.txt nope dir", "file1.txt\n\ndir:\nsub\nx\n",
     "ls: cannot access 'nope': No such file or directory\n", 2, NULL},
    {"ls nope", "", "ls: cannot access 'nope': No such file or directory\n", 2, NULL},
    {"ls -Q", "\"a b\"\n\"a:b\"\n\"back~\"\n\"bad\"\n\"dir\"\n\"file1.txt\"\n"
     "\"file10.txt\"\n\"file11.txt\"\n\"file12.txt\"\n\"file2.txt\"\n"
     "\"file3.txt\"\n\"file4.txt\"\n\"file5.txt\"\n\"file6.txt\"\n\"file7.txt\"\n"
     "\"file8.txt\"\n\"file9.txt\"\n\"it's\"\n\"ldir\"\n\"lnk\"\n\"n\\nl\"\n"
     "\"v1.10\"\n\"v1.9\"\n\"\303\251\"\n", "", 0, NULL},
    {"ls -b", "a\\ b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn\\nl\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls -q", "a b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn?l\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls -N", "a b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls --quoting-style=shell-escape", "'a b'\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\n\"it's\"\nldir\nlnk\n'n'$'\\n''l'\n"
     "v1.10\nv1.9\n\303\251\n", "", 0, NULL},
    {"ls --quoting-style=shell", "'a b'\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\n\"it's\"\nldir\nlnk\n'n\nl'\n"
     "v1.10\nv1.9\n\303\251\n", "", 0, NULL},
    {"ls -B", "a b\na:b\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\nfile12.txt\n"
     "file2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\nfile7.txt\n"
     "file8.txt\nfile9.txt\nit's\nldir\nlnk\nn\nl\nv1.10\nv1.9\n\303\251\n", "", 0, NULL},
    {"ls -I '*.txt'", "a b\na:b\nback~\nbad\ndir\nit's\nldir\nlnk\nn\nl\nv1.10\nv1.9\n"
     "\303\251\n", "", 0, NULL},
    {"ls --hide='*.txt'", "a b\na:b\nback~\nbad\ndir\nit's\nldir\nlnk\nn\nl\nv1.10\nv1.9\n"
     "\303\251\n", "", 0, NULL},
    {"ls --group-directories-first", "dir\nldir\na b\na:b\nback~\nbad\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nlnk\nn\nl\nv1.10\nv1.9\n"
     "\303\251\n", "", 0, NULL},
    {"ls ldir", "sub\nx\n", "", 0, NULL},
    {"ls -F ldir", "ldir@\n", "", 0, NULL},
    {"ls -d ldir", "ldir\n", "", 0, NULL},
    {"ls -H ldir", "sub\nx\n", "", 0, NULL},
    {"ls -L", "a b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls --format=commas", "a b, a:b, back~, bad, dir, file1.txt, file10.txt, file11.txt, file12.txt,\n"
     "file2.txt, file3.txt, file4.txt, file5.txt, file6.txt, file7.txt, file8.txt,\n"
     "file9.txt, it's, ldir, lnk, n\nl, v1.10, v1.9, \303\251\n", "", 0, NULL},
    {"ls --zero | tr '\\0' ,",
     "a b,a:b,back~,bad,dir,file1.txt,file10.txt,file11.txt,file12.txt,file2.txt,file3.txt,file4.txt,file5"
     ".txt,file6.txt,file7.txt,file8.txt,file9.txt,it's,ldir,lnk,n\n"
     "l,v1.10,v1.9,\303\251,", "", 0, NULL},
    {"ls --color=never", "a b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n", "", 0, NULL},
    {"ls -T 4 -C", "a b    bad\t\t  file10.txt  file2.txt  file5.txt\tfile8.txt  ldir  v1.10\n"
     "a:b    dir\t\t  file11.txt  file3.txt  file6.txt\tfile9.txt  lnk\t v1.9\n"
     "back~  file1.txt  file12.txt  file4.txt  file7.txt\tit's\t   n\n"
     "l\t \303\251\n", "", 0, NULL},
    {"ls . dir", ".:\na b\na:b\nback~\nbad\ndir\nfile1.txt\nfile10.txt\nfile11.txt\n"
     "file12.txt\nfile2.txt\nfile3.txt\nfile4.txt\nfile5.txt\nfile6.txt\n"
     "file7.txt\nfile8.txt\nfile9.txt\nit's\nldir\nlnk\nn\nl\nv1.10\n"
     "v1.9\n\303\251\n\ndir:\nsub\nx\n", "", 0, NULL},
    {"ls -aR dir", "dir:\n.\n..\nsub\nx\n\ndir/sub:\n.\n..\n", "", 0, NULL},
    {"ls -w x", "", "ls: invalid line width: \342\200\230x\342\200\231\n", 2, NULL},
    {"ls -Rd .", ".\n", "", 0, NULL},
    {"ls -mw 40", "a b, a:b, back~, bad, dir, file1.txt,\nfile10.txt, file11.txt, file12.txt,\n"
     "file2.txt, file3.txt, file4.txt,\nfile5.txt, file6.txt, file7.txt,\n"
     "file8.txt, file9.txt, it's, ldir, lnk,\nn\nl, v1.10, v1.9, \303\251\n", "", 0, NULL},
    {"ls -lL bad", "", "ls: cannot access 'bad': No such file or directory\n", 2, NULL},
    {"ls -gGd --time-style=+ dir/sub lnk | cut -c1-10", "drwxr-xr-x\nlrwxrwxrwx\n", "", 0, NULL},
};

static const struct row stats[] = {
    {"stat -c '%n %F %a %A %s %f' file1.txt lnk dir",
     "file1.txt regular file 644 -rw-r--r-- 2 81a4\nlnk symbolic link 777 lrwxrwxrwx 9 a1ff\n"
     "dir directory 755 drwxr-xr-x 4096 41ed\n", "", 0, NULL},
    {"stat -c '%10s|%-10s|%010s|%+s|%#a' file2.txt", "         2|2         |0000000002|+2|0755\n", "", 0, NULL},
    {"stat --printf '%n\\x41\\101\\n' lnk", "lnkAA\n", "", 0, NULL},
    {"stat -c '%N' lnk bad 'a b'", "'lnk' -> 'file1.txt'\n'bad' -> 'nowhere'\n'a b'\n", "", 0, NULL},
    {"stat -L -c '%n %s' lnk", "lnk 2\n", "", 0, NULL},
    {"stat nope", "", "stat: cannot statx 'nope': No such file or directory\n", 1, NULL},
    {"stat -L bad", "", "stat: cannot statx 'bad': No such file or directory\n", 1, NULL},
    {"stat", "", "stat: missing operand\nTry 'stat --help' for more information.\n", 1, NULL},
    {"touch -h lnk 2>/dev/null; stat -c '%5n|%.2n|%%|%' bad", "  bad|ba|%|%\n", "", 0, NULL},
};

void test_cmds_list__ls(void **state)
{
    (void)state;

    CHECK("mkdir -p dir/sub .hid; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i > \"file$i.txt\"; done; echo "
          "x > 'a b'; echo y > \"it's\"; printf z > $'n\\nl'; echo > \303\251; ln -s file1.txt lnk; ln -s nowhe"
          "re bad; ln -s dir ldir; chmod 755 file2.txt; echo > back~; echo > v1.10; echo > v1.9; echo > dir/x; "
          "echo > .dot; echo > a:b",
          lists);
}

void test_cmds_list__stat(void **state)
{
    (void)state;

    CHECK("mkdir -p dir/sub .hid; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i > \"file$i.txt\"; done; echo "
          "x > 'a b'; echo y > \"it's\"; printf z > $'n\\nl'; echo > \303\251; ln -s file1.txt lnk; ln -s nowhe"
          "re bad; ln -s dir ldir; chmod 755 file2.txt; echo > back~; echo > v1.10; echo > v1.9; echo > dir/x; "
          "echo > .dot; echo > a:b",
          stats);
}
