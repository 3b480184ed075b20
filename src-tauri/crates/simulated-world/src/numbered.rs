//! Storage for things such as tickets and matches, which are numbered as they arrive and forgotten when they are old.
//! The numbers kept form one range, so that a number leads to its place without a search.
//!
//! Owns the places. Its owner assigns the numbers and decides when a thing is old.

use std::collections::VecDeque;

/// Things by number.
#[derive(Clone, Debug)]
pub(crate) struct Numbered<T> {
    /// Number of the first place.
    first: u32,
    places: VecDeque<Option<T>>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { first: 0, places: VecDeque::new() }
    }
}

impl<T> Numbered<T> {
    fn place(&self, number: u32) -> Option<usize> {
        Some(number.checked_sub(self.first)? as usize)
    }

    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        self.places.get(self.place(number)?)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        let place = self.place(number)?;
        self.places.get_mut(place)?.as_mut()
    }

    /// Stores a thing under a number. Numbers are expected to be close together, because every gap takes space.
    pub(crate) fn insert(&mut self, number: u32, thing: T) {
        if self.places.is_empty() {
            self.first = number;
        }
        while number < self.first {
            self.first -= 1;
            self.places.push_front(None);
        }
        let place = (number - self.first) as usize;
        if place >= self.places.len() {
            self.places.resize_with(place + 1, || None);
        }
        self.places[place] = Some(thing);
    }

    pub(crate) fn remove(&mut self, number: u32) -> Option<T> {
        let place = self.place(number)?;
        self.places.get_mut(place)?.take()
    }

    /// Removes the things that are not to be kept.
    pub(crate) fn retain(&mut self, keeps: impl Fn(&T) -> bool) {
        for place in &mut self.places {
            place.take_if(|thing| !keeps(thing));
        }
        while self.places.pop_front_if(|place| place.is_none()).is_some() {
            self.first += 1;
        }
    }

    /// Returns the things with their numbers, by rising number.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, &T)> {
        let first = self.first;
        let places = self.places.iter().enumerate();
        places.filter_map(move |(place, thing)| Some((first + place as u32, thing.as_ref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(kept: &Numbered<char>) -> Vec<(u32, char)> {
        kept.iter().map(|(number, thing)| (number, *thing)).collect()
    }

    #[test]
    fn things_are_found_by_number_whatever_came_first() {
        let mut kept = Numbered::default();
        for (number, thing) in [(7, 'c'), (9, 'e'), (6, 'b'), (8, 'd')] {
            kept.insert(number, thing);
        }
        assert_eq!(numbers(&kept), [(6, 'b'), (7, 'c'), (8, 'd'), (9, 'e')]);
        assert_eq!(kept.remove(8), Some('d'));
        assert_eq!([0, 5, 8, 10, u32::MAX].map(|number| kept.get(number)), [None; 5]);
        if let Some(thing) = kept.get_mut(9) {
            *thing = 'x';
        }
        assert_eq!((kept.get(9), kept.iter().next_back()), (Some(&'x'), Some((9, &'x'))));
    }

    #[test]
    fn what_was_forgotten_takes_no_room_at_the_front() {
        let mut kept = Numbered::default();
        for number in 3..8 {
            kept.insert(number, if number == 5 { 'a' } else { 'z' });
        }
        kept.retain(|thing| *thing == 'a');
        assert_eq!((numbers(&kept), kept.first), (vec![(5, 'a')], 5));
        kept.retain(|_| false);
        assert!(kept.places.is_empty());
        kept.insert(11, 'b');
        assert_eq!((numbers(&kept), kept.places.len()), (vec![(11, 'b')], 1));
    }
}
