import type { CommonVictims, Faults } from './common-faults.js'
import type { Payer } from './payer.js'

const KAS = 100_000_000n

/**
 * Causes faults by their weights between payments, blocks and pauses; then wakes frozen instances. Resolves to how
 * often each was caused.
 */
export async function causeFaults<Victims extends CommonVictims>(
  faults: Faults<Victims>,
  victims: Victims,
  payer: Payer,
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const { devnode, random, pause, instances } = victims
  const deck = Object.entries(faults).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))
  const counts: Record<string, number> = {}
  for (let caused = 0; caused < count; caused++) {
    await devnode.fund(devnode.accounts[random(4)]!.address, BigInt(1 + random(9)) * KAS)
    await payer.pay(random)
    await devnode.mine(1 + random(3))
    const name = deck[random(deck.length)]!
    counts[name] = (counts[name] ?? 0) + 1
    await faults[name]!.run(victims)
    await pause(random(60))
  }
  for (const instance of instances) instance.signal('SIGCONT')
  return counts
}

/** Time for the instances to fail in. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
