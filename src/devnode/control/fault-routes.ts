import { invalidArgument } from '../../errors/chain-error.js'
import type { DevnodeBase } from '../devnode.js'
import type { ActiveFault } from '../faults/active-fault.js'
import type { FaultKind } from '../faults/fault.js'
import { FAULT_KINDS, isFaultName, type FaultName } from '../faults/kinds.js'
import { readCount, readTexts, type Body } from './body.js'
import { done, type Route } from './route.js'

/** Fault injection. */
export const faultRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/faults',
    about: 'The kinds of faults, and the active faults.',
    run: ({ devnode }) => ({ kinds: listKinds(), active: devnode.faults.active().map(toRecord) }),
  },
  {
    method: 'POST',
    path: '/faults/random',
    about: 'Plays the schedule of `seed` (0), `rate` (5) faults a second, of `kinds` (the default kinds).',
    run({ devnode, body }) {
      const kinds = body.kinds === undefined ? undefined : readTexts(body, 'kinds').map(toFaultName)
      devnode.faults.random(readCount(body, 'seed', 0), readCount(body, 'rate', 5), kinds)
      return done
    },
  },
  {
    method: 'POST',
    path: '/faults/:name',
    about: 'Begins a fault; the body has its settings, including `for` (ms) and `times`.',
    run: ({ devnode, body, name }) => begin(devnode, name, body),
  },
  {
    method: 'POST',
    path: '/drop',
    about: 'Drops every connection: the fault of that name.',
    run: ({ devnode, body }) => begin(devnode, 'drop', body),
  },
  {
    method: 'DELETE',
    path: '/faults/:name',
    about: 'Ends the faults of one kind.',
    run({ devnode, name }) {
      const ended = devnode.faults.active().filter((fault) => fault.name === toFaultName(name))
      for (const fault of ended) fault.stop()
      return { ended: ended.length }
    },
  },
  {
    method: 'DELETE',
    path: '/faults',
    about: 'Ends every fault and every random schedule.',
    run({ devnode }) {
      devnode.faults.clear()
      return done
    },
  },
]

const listKinds = () => Object.entries(FAULT_KINDS).map(([name, kind]) => ({ name, ...toListed(kind) }))

function toListed({ about, settings, choices, times = 0 }: FaultKind) {
  return { about, settings: { ...settings, for: 0, times }, choices }
}

const begin = ({ faults }: DevnodeBase, name: string, settings: Body) =>
  toRecord(faults.begin(toFaultName(name), settings))

const toRecord = ({ name, settings, triggered }: ActiveFault) => ({ name, settings, triggered })

function toFaultName(name: string): FaultName {
  if (isFaultName(name)) return name
  throw invalidArgument('name', `There is no fault "${name}"`, `There are ${Object.keys(FAULT_KINDS).join(', ')}.`)
}
