import { describe, expect, it } from 'vitest'
import type { NotificationType } from '../../src/node/messages/records.js'
import { runChaos } from './chaos.js'
import type { Tamper } from './watched-platform.js'

const HOUR = 90_000

describe.concurrent('a client that lived through sixty faults', () => {
  it.each([
    { seed: 102, encoding: 'Borsh' },
    { seed: 103, encoding: 'SerdeJson' },
  ] as const)('knows exactly what one knows who had none: seed $seed, in $encoding', { timeout: HOUR }, async (run) => {
    const report = await runChaos({ ...run, faults: 60 })
    expect(report).toMatchObject({ lost: [], doubled: [], hung: [] })
    expect(report.lived.struck).toBeGreaterThan(30)
  })
})

describe.concurrent('the books of a run', () => {
  const without = (lost: NotificationType): Tamper => ({ reaches: ({ type }) => type !== lost })
  const play = (tamper: Tamper, faults = 0) => runChaos({ seed: 1, faults, patience: 3_000, tamper })

  it.each([
    ['utxos-changed', 'the ledger'],
    ['virtual-chain-changed', 'accepted by'],
    ['block-added', 'block '],
    ['virtual-daa-score-changed', 'DAA score'],
  ] as const)('show that %s never came, though nobody said so', { timeout: HOUR }, async (type, words) => {
    const { lost } = await play(without(type))
    expect(lost.join('\n')).toContain(words)
  })

  it('show that a payment went out twice', { timeout: HOUR }, async () => {
    const isPayment: Tamper['sends'] = (request) =>
      request.kind === 'request' && request.method === 'submitTransaction' ? 2 : 1
    const { doubled, lived } = await play({ sends: isPayment }, 10)
    expect(lived.payments).toBeGreaterThan(0)
    expect(doubled.join('\n')).toContain('was sent 2 times')
  })

  it('show what was never cancelled at the node', { timeout: HOUR }, async () => {
    const keepsSubscriptions: Tamper['sends'] = (request) =>
      request.kind === 'request' && request.method === 'unsubscribe' ? 0 : 1
    const { hung } = await play({ sends: keepsSubscriptions })
    expect(hung.join('\n')).toContain('a subscription to utxos-changed')
  })
})
