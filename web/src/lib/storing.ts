// Whether this browser stores anything: where it does not, a seat is lost with the page.

export function stores(): boolean {
  try {
    localStorage.setItem("parlour probe", "1");
    localStorage.removeItem("parlour probe");
    return true;
  } catch {
    return false;
  }
}
