const GAP_PX = 6
const EDGE_PX = 8

/** Places a floating element below its button, or above if there is more room, within the window. */
export function placeBeside(floating: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = floating
  const below = innerHeight - at.bottom - GAP_PX
  const top = below >= height || below >= at.top ? at.bottom + GAP_PX : at.top - GAP_PX - height
  const left = at.left + width > innerWidth - EDGE_PX ? at.right - width : at.left
  floating.style.top = `${clamp(top, innerHeight - height)}px`
  floating.style.left = `${clamp(left, innerWidth - width)}px`
}

const clamp = (place: number, most: number): number => Math.max(EDGE_PX, Math.min(place, most - EDGE_PX))
