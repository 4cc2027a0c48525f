/*
 * One script for a person: the program's own descriptors are the script's, everything
 * else is as for a call of the daemon. `toolcrib shell` starts it so; the options here
 * are between the two.
 */
#ifndef TC_WORKER_SHELL_ONCE_H
#define TC_WORKER_SHELL_ONCE_H

/* [--no-limits] [--weak] [--workspace DIR] [--lines], then one of -c TEXT, -f FILE, -i,
 * then NAME ARG…. A file is one of the caller's, - is standard input; -i asks for lines over
 * descriptor 3: the prompt is sent, the line comes back behind an L; anything else ends. The exit code. */
int shell_once_main(int argc, char **argv);

#endif
