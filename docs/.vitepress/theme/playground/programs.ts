import liveExamples from 'virtual:live-examples'
import dashboard from './examples/Dashboard.vue?raw'
import followChain from './examples/follow-chain.ts?raw'
import streams from './examples/streams.ts?raw'

/** The program of an address without one. */
export const FIRST = 'A dashboard'

const start: Readonly<Record<string, string>> = {
  [FIRST]: dashboard,
  'RxJS, without a framework': streams,
  'Follow the chain': followChain,
}

const composables: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(liveExamples).map(([name, { source }]) => [name, source]),
)

/** Programs to begin with, by group and name. */
export const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: start,
  'Pages of this documentation': composables,
}

/** The program of a name, which may be any text of an address; undefined where there is none. */
export const programOf = (name: string): string | undefined =>
  [start, composables].find((programs) => Object.hasOwn(programs, name))?.[name]
