import { toScriptKey, type ScriptPublicKey } from '../utxo.js'
import type { AddressScript } from './columns.js'

/** Numbers the distinct scripts of columns. */
export interface ScriptTable {
  readonly all: readonly AddressScript[]
  /** The number of a script with its address, added where it is new. */
  indexOf(address: string | undefined, script: ScriptPublicKey): number
}

/** Finds a script by its object first: decoders return one object for equal scripts. */
export function createScriptTable(): ScriptTable {
  const all: AddressScript[] = []
  const byObject = new Map<ScriptPublicKey, number>()
  const byText = new Map<string, number>()

  function find(address: string | undefined, scriptPublicKey: ScriptPublicKey): number {
    const key = `${address} ${toScriptKey(scriptPublicKey)}`
    const index = byText.get(key) ?? all.push({ address, scriptPublicKey }) - 1
    byText.set(key, index)
    byObject.set(scriptPublicKey, index)
    return index
  }
  return {
    all,
    indexOf: (address, script) => {
      const index = byObject.get(script)
      return index !== undefined && all[index]?.address === address ? index : find(address, script)
    },
  }
}
