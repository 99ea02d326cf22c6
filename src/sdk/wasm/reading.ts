import { isPanic } from './panics.js'
import type { WasmObject } from './shape.js'

/**
 * Reads plain data from a WASM object and frees it at once, also when the SDK refuses: keys would else stay in its memory
 * until the garbage collector comes by. After a panic nothing is touched: the object goes with its instance.
 */
export function reading<Source extends WasmObject, Data>(source: Source, read: (source: Source) => Data): Data {
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
