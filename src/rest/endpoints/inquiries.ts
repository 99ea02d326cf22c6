import type { Inquiry } from '../asking/inquiry.js'
import type { ChainRestRequestOptions, RestSettings } from '../options.js'
import { readAnswer } from '../reading/read-answer.js'
import type { Made, ReaderName } from '../reading/readers.js'
import type { Arguments, Endpoint } from './endpoint.js'
import { toQuestion } from './question.js'

/** Puts an endpoint and the arguments of a call together. Throws `ChainRestError` (`invalid-argument`). */
export type ToInquiry = <Name extends ReaderName>(
  endpoint: Endpoint<Name>,
  args: Arguments,
  options: ChainRestRequestOptions | undefined,
) => Inquiry<Made[Name]>

/** How many inquiries are remembered an endpoint. */
const MEMORY = 500

/**
 * Remembers what it has made: arguments that were checked once are not checked again, so that a kept answer costs no
 * checksum and no template. Only calls whose arguments are all text are remembered, and equal texts mean equal inquiries.
 */
export function createInquiries(settings: RestSettings): ToInquiry {
  const remembered = new WeakMap<object, Map<string, unknown>>()

  return <Name extends ReaderName>(
    endpoint: Endpoint<Name>,
    args: Arguments,
    options: ChainRestRequestOptions | undefined,
  ) => {
    const key = options === undefined || endpoint.query === undefined ? toKey(args) : undefined
    if (key === undefined) return make(settings, endpoint, { ...options, ...args })
    const known = remembered.get(endpoint) ?? new Map<string, unknown>()
    const found = known.get(key) as Inquiry<Made[Name]> | undefined // what stands under an endpoint was made of it
    if (found !== undefined) return found
    const inquiry = make(settings, endpoint, args)
    if (known.size >= MEMORY) known.clear()
    remembered.set(endpoint, known.set(key, inquiry))
    return inquiry
  }
}

/** The arguments as one text; undefined where one of them is none. */
function toKey(args: Arguments): string | undefined {
  let key = ''
  for (const name in args) {
    const value = args[name]
    if (typeof value !== 'string') return undefined
    key += `${value}\n`
  }
  return key
}

function make<Name extends ReaderName>(
  settings: RestSettings,
  endpoint: Endpoint<Name>,
  args: Arguments,
): Inquiry<Made[Name]> {
  const { reads, keep, slow, once, isSettled = always } = endpoint
  const { method, path, body } = toQuestion(endpoint, args, settings)
  return {
    method,
    path,
    body,
    keep,
    key: endpoint.key ?? `${method} ${path} ${body ?? ''}`,
    slow,
    once,
    isSettled,
    read: (asked, response) => readAnswer(asked, response, reads),
  }
}

const always = (): boolean => true
