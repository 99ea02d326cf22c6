import { defineComponent, h, onScopeDispose, shallowRef, type PropType } from 'vue'
import type { CopyOutcome } from './actions.js'
import type { DialogTexts } from './texts.js'

/** How long, in ms, the button shows what came of it. */
const SHOWN = 2_000

const PICTURES: Readonly<Record<CopyOutcome | 'resting', string>> = {
  resting: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  copied: 'M3 8.5l3.5 3.5L13 4.5',
  refused: 'M4 4l8 8M12 4l-8 8',
}

/** Copies, and shows for a moment whether that worked. */
export const CopyButton = /*#__PURE__*/ defineComponent({
  name: 'CopyButton',
  props: {
    texts: { type: Object as PropType<Pick<DialogTexts, 'copy' | 'copied' | 'notCopied'>>, required: true },
    copy: { type: Function as PropType<() => Promise<CopyOutcome>>, required: true },
  },
  setup(props) {
    const state = shallowRef<CopyOutcome | 'resting'>('resting')
    let rest: ReturnType<typeof setTimeout> | undefined
    onScopeDispose(() => clearTimeout(rest))
    const press = async (): Promise<void> => {
      state.value = await props.copy()
      clearTimeout(rest)
      rest = setTimeout(() => (state.value = 'resting'), SHOWN)
    }
    return () => {
      const { copy, copied, notCopied } = props.texts
      const title = { resting: copy, copied, refused: notCopied }[state.value]
      const button = {
        type: 'button',
        class: `vc-copy vc-copy-${state.value}`,
        'aria-label': copy,
        title,
        onClick: press,
      }
      return h('button', button, [
        h('svg', { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, [
          h('path', { d: PICTURES[state.value], fill: 'none', stroke: 'currentColor', 'stroke-width': 1.4 }),
        ]),
      ])
    }
  },
})
