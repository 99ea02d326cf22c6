import { clearInterval, setInterval } from 'node:timers'

/** Blocks side by side, step after step: a DAG and not a chain, the same each time. */
const WIDTHS = [1, 2, 1, 1, 3, 1, 2, 1]

/** What the explorer can look back on: so many ms, in steps of so many. */
const PAST = 24 * 3_600_000
const STRIDE = 30 * 60_000

/** Payments in each step of an hour of the day: quiet at night. */
const PAYMENTS = [1, 0, 1, 0, 0, 1, 1, 2, 3, 3, 4, 3, 3, 4, 3, 2, 3, 3, 4, 4, 3, 2, 2, 1]

/**
 * The demo's network: a devnode on free ports, with a day behind it, and a miner that lays blocks side by side.
 *
 * @param {typeof import('vue-chain/devnode').createDevnode} createDevnode of the sources or of the built library
 * @param {{ host?: string, seed?: number, blockInterval?: number }} options `blockInterval`: ms from one step to the next
 *   (1000); 0 mines when asked only
 */
export async function startNetwork(createDevnode, { host, seed, blockInterval = 1000 } = {}) {
  const clock = createClock()
  const devnode = await createDevnode({ host, seed, blockInterval: 0, now: clock.now })
  let step = 0
  const mine = () => devnode.mine(1, { parallel: WIDTHS[step++ % WIDTHS.length] })
  await clock.liveThrough(async (hour) => {
    await pay(devnode, hour)
    await mine()
  })
  const isStuck = () => devnode.faults.active().some(({ name }) => name === 'stuck')
  const miner = blockInterval > 0 ? setInterval(() => isStuck() || mine(), blockInterval) : undefined
  return {
    devnode,
    async stop() {
      clearInterval(miner)
      await devnode.close()
    },
  }
}

/** A clock that shows the past until that has been lived through, and the present from then on. */
function createClock() {
  let shown
  return {
    now: () => shown ?? Date.now(),
    async liveThrough(live) {
      const present = Date.now()
      for (shown = present - PAST; shown < present; shown += STRIDE) await live(new Date(shown).getHours())
      shown = undefined
    },
  }
}

/** What the faucet gives to the later accounts; those that the page shows first are left as they are. */
async function pay({ accounts, fund }, hour) {
  const payees = accounts.slice(4)
  for (let payment = 0; payment < PAYMENTS[hour]; payment++) {
    const payee = payees[(hour + payment) % payees.length]
    await fund(payee.address, BigInt(hour + 1) * 125_000_000n + BigInt(payment) * 10_000_000n)
  }
}
