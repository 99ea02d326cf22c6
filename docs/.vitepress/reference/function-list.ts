import type { Declarations } from './declarations.js'
import { escapeText } from './markdown.js'

/** A line of the index of functions: a link whose text is a name, and nothing else. */
const ENTRY = /^- \[([\w.$]+)\]\([^)]+\)$/gm

/** The index with the first sentence of each docstring. Throws where a name is not declared. */
export const withSummaries = (markdown: string, declarations: Declarations): string =>
  markdown.replace(ENTRY, (line, name: string) => `${line}: ${summaryOf(name, declarations)}`)

function summaryOf(name: string, declarations: Declarations): string {
  const [, member] = /^engine\.(.+)$/.exec(name) ?? []
  const { text } = member === undefined ? declarations.function(name) : declarations.engine(member)
  const [first = text] = /^[\s\S]*?[.:](?=\s|$)/.exec(text) ?? []
  return escapeText(first.replace(/\s+/g, ' ').replace(/:$/, '.'))
}
