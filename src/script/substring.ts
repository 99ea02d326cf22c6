import { ScriptError } from './script-error.js'
import { assertElementSize, MAX_ELEMENT_SIZE } from './stack.js'

/** The bytes from `start` up to `end`; the node judges the range before the data. */
export function substring(data: Uint8Array, start: number, end: number): Uint8Array {
  if (end < start) throw new ScriptError(`${start}..${end} is not a valid range, ${end} must be greater than ${start}`)
  assertElementSize(end - start, MAX_ELEMENT_SIZE)
  if (end > data.length)
    throw new ScriptError(`substring [${start}:${end}] is out of bounds for string of length ${data.length}`)
  return data.subarray(start, end)
}
