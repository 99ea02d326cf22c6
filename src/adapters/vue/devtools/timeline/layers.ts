import type { FlightRecord } from '../../../../engine/recorder/recorder.js'

export type Layer = keyof typeof LAYERS

/** The layers of the timeline, the most important first: where too much happens at once, it is shown last. */
export const LAYERS = {
  connection: { label: 'vue-chain: connection', color: 0x2e7d32 },
  payments: { label: 'vue-chain: payments', color: 0x8e24aa },
  rest: { label: 'vue-chain: REST', color: 0xef6c00 },
  calls: { label: 'vue-chain: calls', color: 0x1565c0 },
  notifications: { label: 'vue-chain: notifications', color: 0x00838f },
} as const

const LAYER_OF = {
  connection: 'connection',
  dial: 'connection',
  resolver: 'connection',
  environment: 'connection',
  timer: 'connection',
  wasm: 'connection',
  payment: 'payments',
  wallet: 'payments',
  rest: 'rest',
  call: 'calls',
  backfill: 'calls',
  notification: 'notifications',
  utxos: 'notifications',
  rollback: 'notifications',
  gap: 'notifications',
} as const satisfies Record<FlightRecord['type'], Layer>

export const layerOf = ({ type }: Pick<FlightRecord, 'type'>): Layer => LAYER_OF[type]
