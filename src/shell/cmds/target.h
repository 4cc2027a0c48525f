/*
 * What cp, mv and ln share: where their operands go, and the backup of what was there.
 */
#ifndef TC_SHELL_CMDS_TARGET_H
#define TC_SHELL_CMDS_TARGET_H

#include "toolcrib/shellfs.h"

enum tc_target_backup { TC_TARGET_NO_BACKUP, TC_TARGET_SIMPLE, TC_TARGET_NUMBERED, TC_TARGET_EXISTING };

struct tc_target {
    struct tc_cmd_call *c;
    char *folder;    /* -t, or the last operand when it is a folder; NULL */
    bool no_folder;  /* -T */
    bool strip;      /* --strip-trailing-slashes */
    bool one_is_enough; /* ln: a single operand goes into the working directory */
    bool backs_up;       /* -b, --backup, -S: of a kind that tc_target_take_backup finds out */
    const char *control; /* the value of the last --backup that has one */
    enum tc_target_backup backup;
    const char *suffix;
};

/* The options that all three have: b S t T, backup, strip-trailing-slashes. False when it is none of them;
 * *ret_ok is false when it cannot be. */
enum { TC_TARGET_BACKUP = 400, TC_TARGET_STRIP };
bool tc_target_option(struct tc_target *target, int option, bool *ret_ok);
/* Takes the destination off the operands. 0, or the status of what was told. */
int tc_target_choose(struct tc_target *target);
/* Where an operand goes: the last operand, or the name in the folder. NULL without memory. */
char *tc_target_of(struct tc_target *target, const char *operand);
/* The kind of backups, when all options were read. 0, or the status of what was told. */
int tc_target_take_backup(struct tc_target *target, bool no_clobber);
/* How what is at `path` is called when it is moved aside. NULL without memory. */
const char *tc_target_backup_name(struct tc_target *target, const char *path);
/* Moves what is at `path` aside. *ret_name is its new name, NULL when there was nothing. 0 or an errno. */
int tc_target_back_up(struct tc_target *target, const char *path, const char **ret_name);
/* The last part of a path, without slashes behind it. */
struct tc_str tc_target_last_part(const char *path);

#endif
