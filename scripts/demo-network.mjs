import { clearInterval, setInterval } from 'node:timers'

/** Parallel blocks in each step, so that the result is a DAG; deterministic. */
const WIDTHS = [1, 2, 1, 1, 3, 1, 2, 1]

/** The history that the explorer can show, and its step, in ms. */
const PAST = 24 * 3_600_000
const STRIDE = 30 * 60_000

/** Payments in each step by hour of the day: few at night. */
const PAYMENTS = [1, 0, 1, 0, 0, 1, 1, 2, 3, 3, 4, 3, 3, 4, 3, 2, 3, 3, 4, 4, 3, 2, 2, 1]

/**
 * The demo's network: a devnode on free ports with history and a miner of parallel blocks.
 *
 * @param {typeof import('vue-chain/devnode').createDevnode} createDevnode from the sources or from the built library
 * @param {{ host?: string, seed?: number, blockInterval?: number, past?: number }} options `blockInterval`: ms from one
 * step to the next (1000), 0 mines on request only; `past`: ms of history (a day)
 */
export async function startNetwork(createDevnode, { host, seed, blockInterval = 1000, past = PAST } = {}) {
  const clock = createClock(past)
  const devnode = await createDevnode({ host, seed, blockInterval: 0, now: clock.now })
  let step = 0
  const mine = () => devnode.mine(1, { parallel: WIDTHS[step++ % WIDTHS.length] })
  await clock.replay(async (hour) => {
    await pay(devnode, hour)
    await mine()
  })
  const isStalled = () => devnode.faults.active().some(({ name }) => name === 'stall')
  const miner = blockInterval > 0 ? setInterval(() => isStalled() || mine(), blockInterval) : undefined
  return {
    devnode,
    async stop() {
      clearInterval(miner)
      await devnode.close()
    },
  }
}

/** A clock that replays the past while history is created, and shows the present afterwards. */
function createClock(past) {
  let shown
  return {
    now: () => shown ?? Date.now(),
    async replay(run) {
      const present = Date.now()
      for (shown = present - past; shown < present; shown += STRIDE) await run(new Date(shown).getHours())
      shown = undefined
    },
  }
}

/** Funds the later accounts from the faucet; the accounts shown first keep their balance. */
async function pay({ accounts, fund }, hour) {
  const payees = accounts.slice(4)
  for (let payment = 0; payment < PAYMENTS[hour]; payment++) {
    const payee = payees[(hour + payment) % payees.length]
    await fund(payee.address, BigInt(hour + 1) * 125_000_000n + BigInt(payment) * 10_000_000n)
  }
}
