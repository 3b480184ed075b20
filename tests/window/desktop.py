"""A desktop for one test, on the session bus of the environment: it shows notifications and tray icons to nobody.

Owns nothing of the program's: written with dbus-python against the specifications (desktop notifications 1.2,
StatusNotifierItem, com.canonical.dbusmenu). Prints one JSON object a line for what it is asked, and takes commands on
standard input: `click NUMBER`, `dismiss NUMBER`, `tray`, `choose TEXT`, `look-away DISPLAY`.
"""

import ctypes
import json
import sys
import threading

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NOTIFICATIONS = "org.freedesktop.Notifications"
WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"


def say(**told):
    print(json.dumps(told), flush=True)


class Notifications(dbus.service.Object):
    number = 0

    @dbus.service.method(NOTIFICATIONS, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "body-markup"]

    @dbus.service.method(NOTIFICATIONS, out_signature="ssss")
    def GetServerInformation(self):
        return ("a desktop for one test", "liftdeck", "1", "1.2")

    @dbus.service.method(NOTIFICATIONS, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, time_out):
        if replaces == 0:
            Notifications.number += 1
            replaces = Notifications.number
        say(
            kind="notify",
            number=int(replaces),
            summary=str(summary),
            body=str(body),
            actions=[str(action) for action in actions],
            urgency=int(hints.get("urgency", 1)),
            timeOut=int(time_out),
        )
        return replaces

    @dbus.service.method(NOTIFICATIONS, in_signature="u")
    def CloseNotification(self, number):
        say(kind="withdrawn", number=int(number))
        self.NotificationClosed(number, 3)

    @dbus.service.signal(NOTIFICATIONS, signature="us")
    def ActionInvoked(self, number, action):
        pass

    @dbus.service.signal(NOTIFICATIONS, signature="uu")
    def NotificationClosed(self, number, reason):
        pass


class Watcher(dbus.service.Object):
    item = None

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        at = str(service)
        self.item = (sender, at) if at.startswith("/") else (at, "/StatusNotifierItem")
        self.StatusNotifierItemRegistered(at)
        say(kind="tray registered")

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {
            "IsStatusNotifierHostRegistered": True,
            "ProtocolVersion": dbus.Int32(0),
            "RegisteredStatusNotifierItems": dbus.Array([], signature="s"),
        }

    @dbus.service.signal(WATCHER, signature="s")
    def StatusNotifierItemRegistered(self, service):
        pass

    def entries(self):
        """The items of the menu: number, text, whether it can be chosen."""
        service, path = self.item
        of_item = dbus.Interface(self.connection.get_object(service, path), dbus.PROPERTIES_IFACE)
        self.menu = dbus.Interface(self.connection.get_object(service, of_item.Get(ITEM, "Menu")), MENU)
        _, (_, _, children) = self.menu.GetLayout(0, -1, [])
        for number, properties, _ in children:
            if properties.get("type", "standard") != "separator":
                yield int(number), str(properties.get("label", "")), bool(properties.get("enabled", True))

    def tray(self):
        service, path = self.item
        of_item = dbus.Interface(self.connection.get_object(service, path), dbus.PROPERTIES_IFACE)
        menu = [{"text": text, "enabled": enabled} for _, text, enabled in self.entries()]
        say(kind="tray", icon=str(of_item.Get(ITEM, "IconName")), menu=menu)

    def choose(self, wanted):
        for number, text, _ in self.entries():
            if text == wanted:
                self.menu.Event(number, "clicked", dbus.Int32(0), dbus.UInt32(0))


def look_away(display):
    """Takes the keyboard from every window: without a window manager, the one under the pointer has it."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    at = ctypes.c_void_p(x11.XOpenDisplay(display.encode()))
    nobody, revert_to_nobody, now = 0, 0, 0
    x11.XSetInputFocus(at, ctypes.c_ulong(nobody), revert_to_nobody, ctypes.c_ulong(now))
    x11.XSync(at, 0)
    x11.XCloseDisplay(at)


def main():
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    # Kept in variables: a name is given back when its object is.
    names = [dbus.service.BusName(name, bus) for name in (NOTIFICATIONS, WATCHER)]
    notifications = Notifications(bus, "/org/freedesktop/Notifications")
    watcher = Watcher(bus, "/StatusNotifierWatcher")
    loop = GLib.MainLoop()

    def obey(command, rest):
        try:
            if command == "click":
                notifications.ActionInvoked(int(rest), "default")
                notifications.NotificationClosed(int(rest), 2)
            elif command == "dismiss":
                notifications.NotificationClosed(int(rest), 2)
            elif command == "tray":
                watcher.tray()
            elif command == "choose":
                watcher.choose(rest)
            elif command == "look-away":
                look_away(rest)
        except Exception as error:  # noqa: BLE001: the test is told and goes on asking
            say(kind="failed", command=command, error=str(error))
        return False

    def listen():
        for line in sys.stdin:
            command, _, rest = line.strip().partition(" ")
            GLib.idle_add(obey, command, rest)
        GLib.idle_add(loop.quit)

    threading.Thread(target=listen, daemon=True).start()
    say(kind="ready", names=len(names))
    loop.run()


main()
