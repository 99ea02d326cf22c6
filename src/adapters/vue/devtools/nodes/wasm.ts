import type { CoreParts } from '../../../../engine/core-parts.js'
import type { WasmStatus } from '../../../../streams/wasm.js'
import { errorField, fieldsOf, tag } from '../fields.js'
import type { InspectorNode } from '../inspector-node.js'
import { latestOf } from '../latest.js'

const TONES = { ready: 'good', loading: 'busy', idle: 'plain', error: 'bad' } as const satisfies Record<
  WasmStatus,
  string
>

/** The WASM module. */
export function wasmNode({ wasm }: CoreParts): InspectorNode {
  const state = latestOf(wasm.status$)
  return {
    id: 'wasm',
    label: 'WASM',
    tags: state === undefined ? [] : [tag(state.status, TONES[state.status])],
    state: () =>
      state === undefined
        ? {}
        : { wasm: [...fieldsOf({ status: state.status }), errorField('error' in state ? state.error : null)] },
  }
}
