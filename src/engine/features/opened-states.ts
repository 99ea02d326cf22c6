import type { LastStates } from '../last-state/last-states.js'

/** The last states of a core, once their code was loaded. */
export const openedStates = (): { current: LastStates | undefined } => ({ current: undefined })
