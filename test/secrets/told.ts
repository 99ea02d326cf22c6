import { inspect } from 'node:util'
import { isRef, toRaw, unref } from 'vue'

/** Everything that can be read off a value: what is hidden, what getters answer, causes of causes, bytes as hex. */
export function told(value: unknown): string {
  const seen = inspect(toRaw(value), {
    depth: Infinity,
    showHidden: true,
    getters: true,
    maxArrayLength: Infinity,
    maxStringLength: Infinity,
    breakLength: Infinity,
  })
  return [seen, asJson(value), value instanceof Uint8Array ? Buffer.from(value).toString('hex') : ''].join('\n')
}

/** The values of all refs in what a composable returns, read as a template would. */
export const readRefs = (returned: object): unknown[] =>
  Object.values(returned).flatMap((member: unknown) => {
    if (isRef(member)) return [unref(member)]
    return typeof member === 'object' && member !== null ? readRefs(member) : []
  })

/** As somebody would send it to a log server; '' where it cannot be written. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify({ value }, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
  } catch (error) {
    if (error instanceof TypeError) return '' // it goes in circles: inspected it was all the same
    throw error
  }
}
