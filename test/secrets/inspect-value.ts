import { inspect } from 'node:util'
import { isRef, toRaw, unref } from 'vue'

/** All readable content of a value: hidden fields, getters, nested causes, bytes as hex. */
export function inspectValue(value: unknown): string {
  const inspected = inspect(toRaw(value), {
    depth: Infinity,
    showHidden: true,
    getters: true,
    maxArrayLength: Infinity,
    maxStringLength: Infinity,
    breakLength: Infinity,
  })
  return [inspected, asJson(value), value instanceof Uint8Array ? Buffer.from(value).toString('hex') : ''].join('\n')
}

/** The values of all refs in what a composable returns, unwrapped as in a template. */
export const readRefs = (returned: object): unknown[] =>
  Object.values(returned).flatMap((member: unknown) => {
    if (isRef(member)) return [unref(member)]
    return typeof member === 'object' && member !== null ? readRefs(member) : []
  })

/** JSON with bigints as text; '' for a circular value. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify({ value }, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
  } catch (error) {
    if (error instanceof TypeError) return '' // a circular value, which inspect() covers
    throw error
  }
}
