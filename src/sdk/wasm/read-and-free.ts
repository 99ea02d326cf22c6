import { isPanic } from './panics.js'
import type { WasmObject } from './shape.js'

/**
 * Reads plain data from a WASM object and frees it, also when the SDK throws: keys would otherwise stay in its memory
 * until garbage collection. After a panic nothing is freed: the instance is discarded.
 */
export function readAndFree<Source extends WasmObject, Data>(source: Source, read: (source: Source) => Data): Data {
  const data = orFree(source, () => read(source))
  source.free()
  return data
}

function orFree<Data>(source: WasmObject, read: () => Data): Data {
  try {
    return read()
  } catch (thrown) {
    if (!isPanic(thrown)) source.free()
    throw thrown
  }
}
