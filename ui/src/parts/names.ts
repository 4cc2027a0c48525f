/** A tool as people know it where it has no call name: "workspace.shell", "desk:note". */
export function toolName(tool: { id: string; name?: string | null; toolset?: string }): string {
    if (tool.name && tool.name !== tool.id)
        return tool.name;
    const [, source = '', native = tool.id] = /^([^:]+):(.*)$/s.exec(tool.id) ?? [];
    return source.startsWith('mcp/') ? `${tool.toolset?.replace(/^mcp-/, '') ?? 'mcp'}:${native}` : native;
}
