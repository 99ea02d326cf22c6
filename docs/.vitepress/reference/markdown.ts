import { REPOSITORY, isPublic } from '../../../scripts/release/repository.mjs'
import type { Described, MemberRow } from './declarations.js'

/** The reference of one function as Markdown below `heading`; `api` is the link to its page of the API reference. */
export function toMarkdown(described: Described, heading: string, api: string): string {
  const { name, signature, text, options, results } = described
  return [
    `${heading} ${name}`,
    text === '' ? '' : escapeText(text),
    signature === '' ? '' : `\`\`\`ts\n${signature}\n\`\`\``,
    ...options.map((table) => `**\`${table.name}\`**\n\n${tableOf(table.rows, 'option')}`),
    results.length === 0 ? '' : `**${signature === '' ? 'Members' : 'Result'}**\n\n${tableOf(results, 'member')}`,
    `[API reference](${api}) · ${sourceOf(described)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function sourceOf({ file, line }: Described): string {
  return isPublic ? `[Source](${REPOSITORY}/blob/main/${file}#L${line})` : `Source: \`${file}\`, line ${line}`
}

function tableOf(rows: readonly MemberRow[], kind: 'option' | 'member'): string {
  const hasDefaults = rows.some(({ fallback }) => fallback !== undefined)
  const head = [kind, 'type', ...(hasDefaults ? ['default'] : []), 'meaning']
  const lines = rows.map(({ name, type, isOptional, fallback, text }) => [
    `\`${name}${isOptional && kind === 'option' ? '?' : ''}\``,
    codeOf(type),
    ...(hasDefaults ? [fallback === undefined ? '' : codeOf(fallback)] : []),
    escapeText(text).replace(/\s*\n\s*/g, ' '),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n')
}

const codeOf = (text: string): string => `\`${text.replaceAll('`', '')}\``

const escapeCell = (text: string): string => text.replaceAll('|', '\\|')

/** A docstring as Markdown: what is no code in it is no HTML, and no expression of Vue. */
export const escapeText = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&lbrace;&lbrace;')))
    .join('')
