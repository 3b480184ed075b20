//! The address of a database's socket.
//!
//! Owns access: only this user can connect. The permissions are set when the socket is created, and the peer's user
//! is checked on each connection. On Unix the socket is `<database>.sock`, or a link of that name if the path is too
//! long for a socket; on Windows it is a named pipe named after the database's path. A program that was killed leaves
//! its socket behind, where nobody answers.

use std::io;
use std::path::Path;

use interprocess::local_socket::tokio::{Listener, Stream};
use interprocess::local_socket::traits::StreamCommon as _;
use interprocess::local_socket::traits::tokio::Stream as _;
use interprocess::local_socket::{ListenerOptions, Name};

#[cfg(unix)]
pub(super) use unix::Address;
#[cfg(windows)]
pub(super) use windows::Address;

impl Address {
    /// Listens at this address. Replaces what an earlier program left: whoever listens has the database to itself.
    pub(super) fn listen(&self) -> io::Result<Listener> {
        self.owner_only(ListenerOptions::new().name(self.name()?).try_overwrite(true))?.create_tokio()
    }

    /// Connects to the program that listens there; `None` if there is none or it belongs to another user.
    pub(super) async fn connect(&self) -> Option<Stream> {
        let stream = Stream::connect(self.name().ok()?).await.ok()?;
        is_own(&stream).then_some(stream)
    }
}

/// Whether this user is at the other end.
pub(super) fn is_own(stream: &Stream) -> bool {
    #[cfg(unix)]
    let is_own =
        stream.peer_creds().is_ok_and(|peer| peer.euid() == Some(rustix::process::geteuid().as_raw()));
    // The named pipe lets in no other user.
    #[cfg(windows)]
    let is_own = stream.peer_creds().is_ok();
    is_own
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsString;
    use std::path::PathBuf;

    use interprocess::local_socket::{GenericFilePath, ToFsName};
    use interprocess::os::unix::local_socket::ListenerOptionsExt;

    use super::*;

    /// The longest path of a socket, in bytes. The limit is 104 on macOS, including the final NUL, and 108 on Linux.
    const LONGEST: usize = 100;

    /// The socket of one database.
    pub(in super::super) struct Address {
        /// The path beside the database.
        beside: PathBuf,
        /// The socket itself: the same path, or the target of the link.
        socket: PathBuf,
    }

    impl Address {
        /// Determines the address at which to create this database's socket.
        ///
        /// # Errors
        /// When the path is too long for a socket and no folder can be created for it elsewhere.
        pub(in super::super) fn to_listen(database: &Path) -> io::Result<Self> {
            let beside = beside(database);
            if beside.as_os_str().len() <= LONGEST {
                return Ok(Self { socket: beside.clone(), beside });
            }
            let folder = tempfile::Builder::new().prefix("liftdeck-").tempdir()?.keep();
            let socket = folder.join("socket");
            remove(&beside)?;
            std::os::unix::fs::symlink(&socket, &beside)?;
            Ok(Self { beside, socket })
        }

        /// Finds this database's socket, if there is one.
        pub(in super::super) fn found(database: &Path) -> Option<Self> {
            let beside = beside(database);
            let is_link = beside.symlink_metadata().ok()?.is_symlink();
            let socket = if is_link { beside.read_link().ok()? } else { beside.clone() };
            Some(Self { beside, socket })
        }

        /// Removes the socket. A second call does nothing.
        pub(in super::super) fn take_away(&self) {
            let elsewhere = self.socket.parent().filter(|_| self.socket != self.beside);
            let gone = elsewhere.map_or(Ok(()), |folder| absent_is_gone(std::fs::remove_dir_all(folder)));
            if let Err(error) = gone.and(remove(&self.beside)) {
                tracing::info!(%error, "The socket could not be removed.");
            }
        }

        pub(super) fn name(&self) -> io::Result<Name<'_>> {
            self.socket.as_path().to_fs_name::<GenericFilePath>()
        }

        pub(super) fn owner_only<'n>(&self, options: ListenerOptions<'n>) -> io::Result<ListenerOptions<'n>> {
            Ok(options.mode(0o600))
        }
    }

    fn beside(database: &Path) -> PathBuf {
        let mut name = OsString::from(database);
        name.push(".sock");
        PathBuf::from(name)
    }

    fn remove(path: &Path) -> io::Result<()> {
        absent_is_gone(std::fs::remove_file(path))
    }

    fn absent_is_gone(removed: io::Result<()>) -> io::Result<()> {
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            outcome => outcome,
        }
    }
}

#[cfg(windows)]
mod windows {
    use interprocess::local_socket::{GenericNamespaced, ToNsName};
    use interprocess::os::windows::local_socket::ListenerOptionsExt;
    use interprocess::os::windows::security_descriptor::SecurityDescriptor;
    use widestring::u16cstr;
    use xxhash_rust::xxh3::xxh3_128;

    use super::*;

    /// The named pipe of one database. It disappears with the program that listens.
    pub(in super::super) struct Address {
        name: String,
    }

    impl Address {
        /// Determines the address at which to create this database's socket.
        ///
        /// # Errors
        /// When the full path of the file cannot be determined.
        pub(in super::super) fn to_listen(database: &Path) -> io::Result<Self> {
            // All spellings of a path must lead to the same pipe.
            let path = database.canonicalize().or_else(|_| std::path::absolute(database))?;
            Ok(Self { name: format!("liftdeck-{:032x}", xxh3_128(path.as_os_str().as_encoded_bytes())) })
        }

        /// Finds this database's socket, if there is one.
        pub(in super::super) fn found(database: &Path) -> Option<Self> {
            Self::to_listen(database).ok()
        }

        /// Does nothing: a named pipe leaves nothing behind.
        pub(in super::super) fn take_away(&self) {}

        pub(super) fn name(&self) -> io::Result<Name<'_>> {
            self.name.as_str().to_ns_name::<GenericNamespaced>()
        }

        pub(super) fn owner_only<'n>(&self, options: ListenerOptions<'n>) -> io::Result<ListenerOptions<'n>> {
            // All access for the owner, none for anybody else.
            let owner_only = SecurityDescriptor::deserialize(u16cstr!("D:P(A;;GA;;;OW)"))?;
            Ok(options.security_descriptor(owner_only))
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use interprocess::local_socket::traits::tokio::Listener as _;

    use super::*;

    #[tokio::test]
    async fn a_socket_is_its_owners_alone_and_is_found_until_it_is_taken_away() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("d".repeat(90)).join("e".repeat(90));
        std::fs::create_dir_all(&deep).unwrap();
        for database in [folder.path().join("prod.sqlite"), deep.join("prod.sqlite")] {
            assert!(Address::found(&database).is_none());
            let address = Address::to_listen(&database).unwrap();
            let listener = address.listen().unwrap();
            let found = Address::found(&database).unwrap();
            let (came, accepted) = tokio::join!(found.connect(), listener.accept());
            assert!(came.is_some() && is_own(&accepted.unwrap()));
            let socket = database.with_extension("sqlite.sock");
            assert_eq!(std::fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
            address.take_away();
            address.take_away();
            assert!(Address::found(&database).is_none());
        }
    }

    #[tokio::test]
    async fn what_a_killed_program_left_answers_nobody_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("prod.sqlite");
        let socket = database.with_extension("sqlite.sock");
        for text in ["", "rubbish"] {
            std::fs::write(&socket, text).unwrap();
            assert!(Address::found(&database).unwrap().connect().await.is_none());
        }
        std::fs::remove_file(&socket).unwrap();
        let left = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        drop(left);
        assert!(Address::found(&database).unwrap().connect().await.is_none());
        let address = Address::to_listen(&database).unwrap();
        let _listener = address.listen().unwrap();
        assert!(Address::found(&database).unwrap().connect().await.is_some());
    }
}
