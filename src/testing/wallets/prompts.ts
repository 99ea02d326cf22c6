/** What a wallet's window asks for. */
export type PromptKind = 'unlock' | 'connect' | 'send' | 'sign message' | 'sign transaction' | 'switch network'

export type PromptAnswer = 'approve' | 'reject' | 'close'

/** What becomes of a window: answered at once, or left open until somebody answers, perhaps never. */
export type PromptPolicy = PromptAnswer | 'wait'

/** A window that a wallet has opened over the page. */
export interface Prompt {
  readonly kind: PromptKind
  /** What it shows: the message, the payment, the network. */
  readonly detail: unknown
  answer(answer: PromptAnswer): void
}

export interface Prompts {
  /** Windows that wait for an answer, the newest last. */
  readonly open: readonly Prompt[]
  /** How many windows were ever shown. A silent reconnect leaves it at 0. */
  readonly shown: number
  /** From now on, windows are answered so. @default 'approve' */
  answerWith(policy: PromptPolicy): void
  /** Calls `listener` whenever a window opens or closes, until the returned function is called. */
  watch(listener: () => void): () => void
  /** Opens a window; resolves to what the user said. */
  ask(kind: PromptKind, detail?: unknown): Promise<PromptAnswer>
  /** Closes a window; whoever waits for its answer waits for ever. */
  abandon(prompt: Prompt): void
}

export function createPrompts(policy: PromptPolicy = 'approve'): Prompts {
  let open: readonly Prompt[] = []
  let shown = 0
  const listeners = new Set<() => void>()
  const set = (next: readonly Prompt[]): void => {
    open = next
    listeners.forEach((listener) => listener())
  }
  const abandon = (prompt: Prompt): void => set(open.filter((other) => other !== prompt))
  return {
    get open() {
      return open
    },
    get shown() {
      return shown
    },
    answerWith: (next) => {
      policy = next
    },
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    ask: (kind, detail) =>
      new Promise((resolve) => {
        shown++
        if (policy !== 'wait') {
          resolve(policy)
          return
        }
        const prompt: Prompt = {
          kind,
          detail,
          answer: (answer) => {
            abandon(prompt)
            resolve(answer)
          },
        }
        set([...open, prompt])
      }),
    abandon,
  }
}
