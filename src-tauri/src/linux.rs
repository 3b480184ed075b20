//! Prepares Linux for the window before GTK starts. Other systems need no preparation.

/// Whether there is a screen to open a window on.
pub(crate) fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(target_os = "linux")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Restarts the program in place with WebKitGTK's DMABUF renderer off, unless the variable is already set. That
/// renderer shows a blank window with many drivers (tauri-apps/tauri#9304); set `WEBKIT_DISABLE_DMABUF_RENDERER=0` to
/// keep it. A process cannot safely change its own environment once threads may run, so it replaces itself. Returns
/// if there is nothing to do or the restart failed.
#[cfg(target_os = "linux")]
pub(crate) fn without_dmabuf() {
    use std::os::unix::process::CommandExt;

    const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    if std::env::var_os(VARIABLE).is_some() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let error =
        std::process::Command::new(program).args(std::env::args_os().skip(1)).env(VARIABLE, "1").exec();
    tracing::warn!(%error, "The program could not be started again without the DMABUF renderer.");
}

/// Does nothing: only Linux needs it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn without_dmabuf() {}
