import MiniSearch from 'minisearch'
import type { Documentation, Section } from './documentation.js'

/** A section that a search found, the best first. */
export interface Finding {
  readonly page: string
  readonly heading: string
  /** The beginning of the section, Markdown. */
  readonly excerpt: string
}

const EXCERPT = 400

/** A search over all sections, with the weights of the site's own search. */
export function createSearch({ sections }: Documentation): (query: string, limit: number) => readonly Finding[] {
  const byId = new Map(sections.map((section) => [section.id, section]))
  const index = new MiniSearch<Section>({ fields: ['heading', 'title', 'text'] })
  index.addAll(sections)
  const options = { fuzzy: 0.2, prefix: true, boost: { heading: 4, title: 2, text: 1 } }
  return (query, limit) =>
    index
      .search(query, options)
      .slice(0, limit)
      .flatMap(({ id }) => toFinding(byId.get(String(id))))
}

const toFinding = (section: Section | undefined): Finding[] =>
  section === undefined
    ? []
    : [{ page: section.page, heading: section.heading, excerpt: section.text.slice(0, EXCERPT) }]
