import { defineComponent, h, onScopeDispose, shallowRef, type PropType } from 'vue'
import type { DialogTexts } from './texts.js'

/** Time in ms for which the button shows the outcome. */
const SHOWN_FOR = 2_000

const ICONS: Readonly<Record<CopyOutcome | 'idle', string>> = {
  idle: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  copied: 'M3 8.5l3.5 3.5L13 4.5',
  refused: 'M4 4l8 8M12 4l-8 8',
}

/** A copy button that shows the outcome for a short time. */
export const CopyButton = /*#__PURE__*/ defineComponent({
  name: 'CopyButton',
  props: {
    texts: { type: Object as PropType<Pick<DialogTexts, 'copy' | 'copied' | 'notCopied'>>, required: true },
    copy: { type: Function as PropType<() => Promise<CopyOutcome>>, required: true },
  },
  setup(props) {
    const state = shallowRef<CopyOutcome | 'idle'>('idle')
    let resetTimer: ReturnType<typeof setTimeout> | undefined
    onScopeDispose(() => clearTimeout(resetTimer))
    const press = async (): Promise<void> => {
      state.value = await props.copy()
      clearTimeout(resetTimer)
      resetTimer = setTimeout(() => (state.value = 'idle'), SHOWN_FOR)
    }
    return () => {
      const { copy, copied, notCopied } = props.texts
      const title = { idle: copy, copied, refused: notCopied }[state.value]
      const button = {
        type: 'button',
        class: `vc-copy vc-copy-${state.value}`,
        'aria-label': copy,
        title,
        onClick: press,
      }
      return h('button', button, [
        h('svg', { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, [
          h('path', { d: ICONS[state.value], fill: 'none', stroke: 'currentColor', 'stroke-width': 1.4 }),
        ]),
      ])
    }
  },
})

/** Outcome of a copy to the clipboard. */
export type CopyOutcome = 'copied' | 'refused'

/** Browsers provide the clipboard only in secure contexts: HTTPS and localhost. */
export const hasClipboard = (): boolean => typeof navigator !== 'undefined' && 'clipboard' in navigator

/** The permissions policy of a frame or the user can deny access. */
export const writeToClipboard = (text: string): Promise<CopyOutcome> =>
  navigator.clipboard.writeText(text).then(
    () => 'copied',
    () => 'refused',
  )
