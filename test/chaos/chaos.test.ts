import { describe, expect, it } from 'vitest'
import type { NotificationType } from '../../src/node/messages/records.js'
import { runChaos } from './chaos.js'
import type { Tamper } from './watched-platform.js'

/** A bound for what hangs, ms. */
const LONG = 240_000

describe('a client that lived through thirty faults', () => {
  it.each([
    { seed: 102, encoding: 'Borsh' },
    { seed: 103, encoding: 'SerdeJson' },
  ] as const)('knows exactly what one knows who had none: seed $seed, in $encoding', { timeout: LONG }, async (run) => {
    const report = await runChaos({ ...run, faults: 30 })
    expect(report).toMatchObject({ lost: [], doubled: [], hung: [] })
    expect(report.lived.struck).toBeGreaterThan(10)
  })
})

describe('the books of a run', () => {
  const without = (lost: NotificationType): Tamper => ({ reaches: ({ type }) => type !== lost })
  const play = (tamper: Tamper, options: { faults?: number; patience?: number } = {}) =>
    runChaos({ seed: 1, faults: 0, patience: 2_000, tamper, ...options })

  it.each([
    ['utxos-changed', 'the ledger'],
    ['virtual-chain-changed', 'accepted by'],
    ['block-added', 'block '],
    ['virtual-daa-score-changed', 'DAA score'],
  ] as const)('show that %s never came, though nobody said so', { timeout: LONG }, async (type, words) => {
    const { lost } = await play(without(type))
    expect(lost.join('\n')).toContain(words)
  })

  it('show that a payment went out twice', { timeout: LONG }, async () => {
    const isPayment: Tamper['sends'] = (request) =>
      request.kind === 'request' && request.method === 'submitTransaction' ? 2 : 1
    const { doubled, lived } = await play({ sends: isPayment }, { faults: 10, patience: 60_000 })
    expect(lived.payments).toBeGreaterThan(0)
    expect(doubled.join('\n')).toContain('was sent 2 times')
  })

  it('show what was never cancelled at the node', { timeout: LONG }, async () => {
    const keepsSubscriptions: Tamper['sends'] = (request) =>
      request.kind === 'request' && request.method === 'unsubscribe' ? 0 : 1
    const { hung } = await play({ sends: keepsSubscriptions })
    expect(hung.join('\n')).toContain('a subscription to utxos-changed')
  })
})
