/*
 * The script that is compiled in: a few scenes with built-in tools, for a first look
 * without a key and without a network.
 */
#include "models/script.h"

const char tc_script_demo[] =
    "{\"scenes\":["
    "{\"when\":\"dice\",\"turns\":["
    "{\"text\":[\"I roll \",\"two dice.\"],\"deltaMs\":20,"
    "\"calls\":[{\"name\":\"dice_roll\",\"arguments\":{\"formula\":\"2d6\"}}]},"
    "{\"text\":[\"The answer is: \",\"{{result}}\"],\"deltaMs\":20}]},"
    "{\"when\":\"note\",\"turns\":["
    "{\"text\":[\"I write \",\"the note.\"],\"deltaMs\":20,"
    "\"calls\":[{\"name\":\"workspace_write_file\",\"arguments\":"
    "{\"file_path\":\"output/note.md\",\"content\":"
    "\"# Note\\n\\nTools are registered, governed, checked and recorded.\\n\"}}]},"
    "{\"text\":[\"And I read \",\"it back.\"],\"deltaMs\":20,"
    "\"calls\":[{\"name\":\"workspace_read_file\",\"arguments\":{\"file_path\":\"output/note.md\"}}]},"
    "{\"text\":[\"The note is in output/note.md. It reads:\\n\\n\",\"{{result}}\"],\"deltaMs\":20}]},"
    "{\"when\":\"mistake\",\"turns\":["
    "{\"text\":[\"I make a call \",\"with a wrong argument.\"],\"deltaMs\":20,"
    "\"calls\":[{\"name\":\"workspace_list_files\",\"arguments\":{\"directory\":\"output\"}}]},"
    "{\"text\":[\"It was refused and \",\"nothing ran. I mend it.\"],\"deltaMs\":20,"
    "\"calls\":[{\"name\":\"workspace_list_files\",\"arguments\":{}}]},"
    "{\"text\":[\"Now it went well:\\n\\n\",\"{{result}}\"],\"deltaMs\":20}]}],"
    "\"otherwise\":{\"text\":[\"I am a scripted model: \",\"I play what is written down. \","
    "\"Ask me to write a note, to make a mistake, or to roll dice.\"],\"deltaMs\":20}}";
