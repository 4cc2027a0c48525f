/*
 * What built-in tools are configured with (spec 3): tools.<ToolId>.config of the
 * configuration file, and settings of the same names. No tool reads either itself.
 */
#ifndef TC_RUNTIME_TOOL_CONFIG_H
#define TC_RUNTIME_TOOL_CONFIG_H

#include "runtime/settings.h"
#include "toolcrib/tool.h"

/* The specs that are given, and after them one for each key that a tool declares, with its value in
 * `file`, the "tools" of the configuration (or NULL); in the arena. TC_E_CONFIG_UNKNOWN_KEY,
 * TC_E_CONFIG_INVALID: the file has what no tool takes; field names the place. */
enum tc_err tc_tool_config_specs(struct tc_cx *cx, const struct tc_tool *const *tools, const struct tc_json *file,
                                 struct tc_setting_spec **specs, size_t *n);
/* The setting of a key that the tool declares. */
enum tc_err tc_tool_config_setting(struct tc_cx *cx, const struct tc_settings *settings, const struct tc_tool *tool,
                                   const struct tc_tool_setting *key, const struct tc_setting **ret_setting);
/* Whether it must be supplied, and is not. */
bool tc_tool_config_lacks(const struct tc_setting *setting, const struct tc_tool_setting *key);
/* All its keys with the values in use, an object in the arena; NULL: it declares none. */
enum tc_err tc_tool_config_read(struct tc_cx *cx, const struct tc_settings *settings, const struct tc_tool *tool,
                                const struct tc_json **ret_config);

#endif
