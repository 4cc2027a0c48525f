/*
 * The command bc: a calculator of any precision (as GNU bc), and its library of -l.
 */
#include "base/mem.h"
#include "shell/cmds/bc_ast.h"
#include "shell/cmds/inputs.h"
#include "toolcrib/shellfs.h"

enum { TEXT_MAX = 1 << 24 };

/* Series with digits to spare, cut at the end. */
static const char library[] =
    "scale=20\n"
    "define e(x){auto b,i,k,m,n,r,s,t,o\n"
    "o=ibase;ibase=A;s=scale;if(x<0){m=1;x=-x}\n"
    "scale=0;n=x/1;scale=s+n/2+12;if(m){scale=s+12}\n"
    "while(x>1){k+=1;x/=2;scale+=1}\n"
    "r=1;t=1;for(i=1;1;i++){t=t*x/i;if(t==0)break;r+=t}\n"
    "while(k>0){r=r*r;k-=1}\n"
    "if(m)r=1/r;scale=s;ibase=o;return(r/1)}\n"
    "define l(x){auto a,b,i,k,n,r,s,t,o\n"
    "if(x<=0)return((1-A^scale)/1)\n"
    "o=ibase;ibase=A;s=scale;scale=s+12;k=2\n"
    "while(x>=2){x=sqrt(x);k*=2}\n"
    "while(x<=.5){x=sqrt(x);k*=2}\n"
    "scale=s+12+length(k)\n"
    "a=(x-1)/(x+1);b=a*a;r=a;t=a\n"
    "for(i=3;1;i+=2){t=t*b;n=t/i;if(n==0)break;r+=n}\n"
    "r=r*k;scale=s;ibase=o;return(r/1)}\n"
    "define s(x){auto i,m,n,p,r,s,t,o\n"
    "o=ibase;ibase=A;s=scale;scale=s+length(x)+12\n"
    "if(x<0){m=1;x=-x}\n"
    "if(x>1){p=8*a(1);t=scale;scale=0;n=x/p;scale=t;x=x-n*p}\n"
    "t=x;r=x;p=-x*x;for(i=3;1;i+=2){t=t*p/(i*(i-1));if(t==0)break;r+=t}\n"
    "if(r>0)r+=A^(-s-4);if(r<0)r-=A^(-s-4)\n"
    "if(m)r=-r;scale=s;ibase=o;return(r/1)}\n"
    "define c(x){auto r,s,o\n"
    "o=ibase;ibase=A;s=scale;scale=s+length(x)+12\n"
    "r=s(x+2*a(1));if(r>0)r+=A^(-s-4);if(r<0)r-=A^(-s-4)\n"
    "scale=s;ibase=o;return(r/1)}\n"
    "define a(x){auto i,k,m,n,p,r,s,t,o\n"
    "o=ibase;ibase=A;s=scale;scale=s+12;k=1\n"
    "if(x<0){m=1;x=-x}\n"
    "if(x>1){r=a(1)*2-a(1/x);if(m)r=-r;scale=s;ibase=o;return(r/1)}\n"
    "while(x>.1){x=x/(1+sqrt(1+x*x));k*=2}\n"
    "t=x;r=x;p=-x*x;for(i=3;1;i+=2){t=t*p;n=t/i;if(n==0)break;r+=n}\n"
    "r=r*k;if(m)r=-r;scale=s;ibase=o;return(r/1)}\n"
    "define j(n,x){auto i,m,p,r,s,t,o\n"
    "o=ibase;ibase=A;s=scale;scale=0;n/=1;if(n<0){n=-n;if(n%2==1)m=1}\n"
    "scale=s+length(x)*2+20;t=1;for(i=1;i<=n;i++)t=t*x/2/i\n"
    "scale=scale+length(n);r=t;p=-x*x/4\n"
    "for(i=1;1;i++){t=t*p/i/(n+i);if(t==0)break;r+=t}\n"
    "if(m)r=-r;scale=s;ibase=o;return(r/1)}\n";

static void run_text(struct bc *bc, struct tc_str text, struct tc_str name)
{
    struct bc_node *line;

    bc->text = text;
    bc->name = name;
    bc->at = 0;
    bc->line = 1;
    tc_bc_advance(bc);
    while (!bc->halted && bc->token != BC_END && tc_cmd_tick(bc->call, 4)) {
        if (bc->token == '\n') {
            tc_bc_advance(bc);
            continue;
        }
        line = tc_bc_parse_line(bc);
        if (line)
            tc_bc_run(bc, line);
    }
}

/* The files, then standard input, unless one of them said quit. */
static int run_inputs(struct bc *bc)
{
    struct tc_cmd_call *c = bc->call;
    struct tc_cmd_in *in;
    struct tc_str text;
    int error;

    for (int i = c->at; i < c->argc && !bc->halted; i++) {
        error = tc_cmd_open(c, c->argv[i], &in);
        if (!error)
            error = tc_cmd_read_all(c, in, TEXT_MAX, &text);
        if (error) {
            tc_cmd_printf(c->err, "File %s is unavailable.\n", c->argv[i]);
            return 1;
        }
        tc_cmd_close(c, in);
        run_text(bc, text, tc_str_of(c->argv[i]));
    }
    if (bc->halted)
        return 0;
    error = tc_cmd_open(c, NULL, &in);
    if (!error)
        error = tc_cmd_read_all(c, in, TEXT_MAX, &text);
    if (error)
        return tc_cmd_fail_errno(c, "-", error);
    run_text(bc, text, TC_STR("(standard_in)"));
    return 0;
}

static void finish(struct bc *bc)
{
    struct tc_str name;
    void *found;
    size_t at = 0;

    while (tc_map_next(&bc->vars, &at, &name, &found))
        tc_bc_unref(((struct bc_var *)found)->value);
    at = 0;
    while (tc_map_next(&bc->arrays, &at, &name, &found)) {
        struct bc_array *array = found;

        for (size_t i = 0; i < array->n; i++)
            tc_bc_unref(array->items[i]);
        tc_mem_free(array->items);
    }
    tc_map_finish(&bc->vars);
    tc_map_finish(&bc->arrays);
    tc_map_finish(&bc->functions);
    tc_bc_unref(bc->zero);
    tc_bc_unref(bc->one);
    tc_bc_unref(bc->last);
}

static size_t line_length(struct tc_cmd_call *c)
{
    const char *text = tc_cmd_getenv(c, "BC_LINE_LENGTH");
    int64_t n;

    if (!text || !tc_cmd_number(text, false, &n) || n < 0 || n > 1000000)
        return 70;
    return n == 0 || n > 2 ? (size_t)n : 70;
}

static int run(struct tc_cmd_call *c)
{
    struct bc *bc = TC_ARENA_NEW(c->arena, struct bc);
    bool math = false;
    int id, status = 0, extensions = 0;

    while ((id = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (id == TC_CMD_OPTION_BAD)
            return 2;
        math |= id == 'l';
        if (id == 'w' || id == 's')
            extensions = id;
    }
    if (!bc)
        return tc_cmd_fail_memory(c);
    bc->call = c;
    bc->ibase = bc->obase = 10;
    bc->line_length = line_length(c);
    bc->zero = tc_bc_int(0);
    bc->one = tc_bc_int(1);
    if (!bc->zero || !bc->one)
        status = tc_cmd_fail_memory(c);
    if (!status && math)
        run_text(bc, tc_str_of(library), TC_STR("(library)"));
    bc->extensions = extensions == 's' ? BC_STANDARD : extensions == 'w' ? BC_WARN : BC_ALL;
    if (!status)
        status = run_inputs(bc);
    finish(bc);
    return status;
}

static const struct tc_cmd_option options[] = {
    {'l', "l,mathlib", TC_CMD_NONE, NULL, "with s, c, a, l, e and j, and a scale of 20"},
    {'q', "q,quiet", TC_CMD_NONE, NULL, "accepted; there is no welcome"},
    {'s', "s,standard", TC_CMD_NONE, NULL, "what POSIX does not have is an error"},
    {'w', "w,warn", TC_CMD_NONE, NULL, "warn of what POSIX does not have"},
    {0},
};

const struct tc_cmd tc_command_bc = {
    .name = "bc",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Compute with numbers of any precision.",
    .options = options,
    .run = run,
};
