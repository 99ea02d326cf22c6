import { readCount, readText } from '../../devnode/control/route.js'
import { invalidArgument } from '../../errors/chain-error.js'
import type { Documentation, Section } from './documentation.js'
import type { Tools } from './tool.js'
import MiniSearch from 'minisearch'

const EXCERPT = 400

/** The longest part of a page that one call returns, characters. */
const PAGE_LENGTH = 12_000

/** Search and read the documentation of the installed version, and its catalogue of errors. */
export const documentationTools: Tools = {
  search_docs: {
    about: 'Searches the documentation of the installed version of vue-chain. Returns pages with their sections.',
    schema: {
      query: { type: 'string', minLength: 1, maxLength: 200 },
      limit: { type: 'integer', minimum: 1, maximum: 20, description: 'default 6' },
    },
    required: ['query'],
    run: (args, { documentation }) => ({
      result: {
        version: documentation.version,
        findings: searchOf(documentation)(readText(args, 'query'), readCount(args, 'limit', 6)),
      },
    }),
  },
  read_docs: {
    about: 'Returns a page of the documentation as Markdown; without a page, the list of pages.',
    schema: {
      page: { type: 'string', maxLength: 80, description: 'such as "transactions" or "composables/useUtxo"' },
      offset: { type: 'integer', minimum: 0, description: 'where to go on, from nextOffset' },
    },
    run: (args, { documentation }) => {
      const page = readText(args, 'page', undefined)
      if (page === undefined) return { result: { version: documentation.version, pages: titlesOf(documentation) } }
      return { result: readPage(documentation, page, readCount(args, 'offset', 0)) }
    },
  },
  explain_error: {
    about: 'Explains the code of a ChainError: what happened, and what to do.',
    schema: { code: { type: 'string', pattern: '^[a-z][a-z0-9-]{1,40}$', description: 'such as "fee-too-high"' } },
    required: ['code'],
    run: (args, { documentation }) => {
      const code = readText(args, 'code')
      const explanation = explain(documentation, code)
      if (explanation !== undefined) return { result: { code, explanation } }
      throw invalidArgument('code', 'The documentation has no such code', 'read_docs of the page "errors" lists them.')
    },
  },
}

/** The section of an error code. */
export const explain = ({ sections }: Documentation, code: string): string | undefined =>
  sections.find(({ page, heading }) => page === 'errors' && heading === `\`${code}\``)?.text

const searches = /*#__PURE__*/ new WeakMap<Documentation, ReturnType<typeof createSearch>>()

/** The index is built by the first search. */
function searchOf(documentation: Documentation): ReturnType<typeof createSearch> {
  const search = searches.get(documentation) ?? createSearch(documentation)
  searches.set(documentation, search)
  return search
}

const titlesOf = ({ sections }: Documentation): Readonly<Record<string, string>> =>
  Object.fromEntries(sections.map(({ page, title }) => [page, title]))

function readPage({ version, pages }: Documentation, page: string, offset: number) {
  const text = pages.get(page)
  if (text === undefined)
    throw invalidArgument('page', 'The documentation has no such page', 'read_docs without a page lists them.')
  const end = offset + PAGE_LENGTH
  return { version, page, text: text.slice(offset, end), ...(end < text.length && { nextOffset: end }) }
}

/** A section that a search found, the best first. */
interface Finding {
  readonly page: string
  readonly heading: string
  /** The beginning of the section, Markdown. */
  readonly excerpt: string
}

/** A search over all sections, with the weights of the site's own search. */
function createSearch({ sections }: Documentation): (query: string, limit: number) => readonly Finding[] {
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
