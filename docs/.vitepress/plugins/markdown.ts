import type { MarkdownRenderer } from 'vitepress'

/**
 * Renders an empty cell of a table's head as a data cell: a header without a text has no meaning for a screen reader.
 */
export function markEmptyHeaders({ core }: MarkdownRenderer): void {
  core.ruler.push('empty-headers', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') return
      const close = tokens[index + 2]
      token.tag = 'td'
      if (close !== undefined) close.tag = 'td'
    })
  })
}
