/*
 * md5sum on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "sha256sum -b f",
     "d9bb660c504a13474240b7241503a94d1029b18c3bd5a05ba0dedf7448c0d6e1 *f\n", "", 0},
    {TEXT_FILES
     "sha1sum --tag f",
     "SHA1 (f) = d83663bd21bbc2d556d7a67bdca5ddbcf595c5c1\n", "", 0},
    {TEXT_FILES
     "md5sum < f",
     "e57f38443e3d785717fcee634a2650c5  -\n", "", 0},
    {TEXT_FILES
     "md5sum f k > sums; echo bad >> sums; echo x >>k; md5sum -c --status sums",
     "", "", 1},
    {TEXT_FILES
     "md5sum --tag f > s2; md5sum -c s2",
     "f: OK\n", "", 0},
    {TEXT_FILES
     "cksum f",
     "1285959146 10 f\n", "", 0},
    {TEXT_FILES
     "cksum -a md5 f",
     "MD5 (f) = e57f38443e3d785717fcee634a2650c5\n", "", 0},
    {TEXT_FILES
     "cksum -a sha256 --untagged f",
     "d9bb660c504a13474240b7241503a94d1029b18c3bd5a05ba0dedf7448c0d6e1  f\n", "", 0},
    {TEXT_FILES
     "sum f",
     "57070     1 f\n", "", 0},
    {TEXT_FILES
     "sum f k",
     "57070     1 f\n02779     1 k\n", "", 0},
    {TEXT_FILES
     "sum -s f",
     "658 1 f\n", "", 0},
    {TEXT_FILES
     "sum < f",
     "57070     1\n", "", 0},
    {TEXT_FILES
     "b2sum f",
     "e373b9c82d8635b1a1ff906c7084cef5316f5b154ad6ec9909ffb40091538893bc006f388ff6537a32d8900c"
     "ca341c7a6e413ddb096158999794fd347cc15f03  f\n", "", 0},
    {TEXT_FILES
     "b2sum -l 128 f",
     "c3a5296dd93e29d626fa275e2d28ec92  f\n", "", 0},
    {TEXT_FILES
     "printf a > 'a\\b'; md5sum 'a\\b'",
     "\\0cc175b9c0f1b6a831c399e269772661  a\\\\b\n", "", 0},
    {TEXT_FILES
     "md5sum -z f | od -c",
     "0000000   e   5   7   f   3   8   4   4   3   e   3   d   7   8   5   7\n0000020   1   7"
     "   f   c   e   e   6   3   4   a   2   6   5   0   c   5\n0000040           f  \\0\n0000"
     "044\n", "", 0},
    {TEXT_FILES
     "sha384sum f s",
     "5a8b45baec4c78f633e0e709dac9d060336a5a34637f5416dd5ba2a32482b49685f28d923e915d31e48d5686"
     "a1fdcf85  f\n9115a80b8698a8d9f095b444771a2a6e2bed650b3627392d3a1e91d4f7ac5812835da607ecd"
     "cba8f98a78b7bc544ce97  s\n", "", 0},
    {TEXT_FILES
     "sha224sum s",
     "b533255f8eb18788b057f8301553487c16e91f40db6e49d21581df16  s\n", "", 0},
    {TEXT_FILES
     "sha512sum s",
     "bd257597a6e59f5ffa3be1ef76ba1d288ddf45d6573986ff6ea97076311cc4120af8919e42effdda331e877e"
     "f5d6ce58b34c930114edc383d65e2e5168263f25  s\n", "", 0},
    {TEXT_FILES
     "sha256sum s f",
     "4becb4afc4bbb0706eb8df24e32b8924925961ef48a2ac0e4a95cd7da10e97a5  s\nd9bb660c504a1347424"
     "0b7241503a94d1029b18c3bd5a05ba0dedf7448c0d6e1  f\n", "", 0},
    {TEXT_FILES
     "sha1sum s",
     "31db9994df40cb599f6436beb46ff4d9c2249e24  s\n", "", 0},
    {TEXT_FILES
     "md5sum s",
     "da89770dab7dcab843f2ce109bb879ca  s\n", "", 0},
    {TEXT_FILES
     "cksum s",
     "2398169153 81 s\n", "", 0},
    {TEXT_FILES
     "sha256sum s > x; sha256sum -c x",
     "s: OK\n", "", 0},
    {TEXT_FILES
     "cksum -a blake2b f",
     "BLAKE2b (f) = e373b9c82d8635b1a1ff906c7084cef5316f5b154ad6ec9909ffb40091538893bc006f388f"
     "f6537a32d8900cca341c7a6e413ddb096158999794fd347cc15f03\n", "", 0},
    {TEXT_FILES
     "cksum -a bsd f",
     "57070     1 f\n", "", 0},
    {TEXT_FILES
     "cksum -a sysv f",
     "658 1 f\n", "", 0},
    {TEXT_FILES
     "cksum -a sha1 f > x; cksum -c x",
     "f: OK\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "md5sum f nofile",
     "e57f38443e3d785717fcee634a2650c5  f\n",
     "md5sum: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "md5sum f k > sums; echo bad >> sums; echo x >>k; md5sum -c sums",
     "f: OK\nk: FAILED\n",
     "md5sum: WARNING: 1 line is improperly formatted\nmd5sum: WARNING: 1 computed checksum di"
     "d NOT match\n", 1},
    {TEXT_FILES
     "md5sum f k > sums; echo bad >> sums; echo x >>k; md5sum -c --quiet sums",
     "k: FAILED\n",
     "md5sum: WARNING: 1 line is improperly formatted\nmd5sum: WARNING: 1 computed checksum di"
     "d NOT match\n", 1},
    {TEXT_FILES
     "md5sum f k > sums; echo bad >> sums; md5sum -c -w sums",
     "f: OK\nk: OK\n",
     "md5sum: sums: 3: improperly formatted MD5 checksum line\nmd5sum: WARNING: 1 line is impr"
     "operly formatted\n", 0},
    {TEXT_FILES
     "md5sum f k > sums; echo bad >> sums; md5sum -c --strict sums",
     "f: OK\nk: OK\n",
     "md5sum: WARNING: 1 line is improperly formatted\n", 1},
    {TEXT_FILES
     "md5sum -c nofile",
     "",
     "md5sum: nofile: No such file or directory\n", 1},
    {TEXT_FILES
     "printf 'x\\n' > s3; md5sum -c s3",
     "",
     "md5sum: s3: no properly formatted checksum lines found\n", 1},
    {TEXT_FILES
     "md5sum f | sed 's/f/nofile/2' > s5;  md5sum -c s5",
     "",
     "md5sum: s5: no properly formatted checksum lines found\n", 1},
    {TEXT_FILES
     "md5sum f | sed 's/  f/  nofile/' > s5;  md5sum -c s5",
     "nofile: FAILED open or read\n",
     "md5sum: nofile: No such file or directory\nmd5sum: WARNING: 1 listed file could not be r"
     "ead\n", 1},
    {TEXT_FILES
     "md5sum f | sed 's/  f/  nofile/' > s5;  md5sum -c --ignore-missing s5",
     "",
     "md5sum: s5: no file was verified\n", 1},
    {TEXT_FILES
     "md5sum d",
     "",
     "md5sum: d: Is a directory\n", 1},
};

void test_md5sum__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_md5sum__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
