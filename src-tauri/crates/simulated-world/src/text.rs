//! Appends numbers to text. Pages of sessions consist of little else, so the standard formatting would dominate their
//! cost.

/// Appends a number.
pub(crate) fn push_number(to: &mut String, number: u64) {
    let mut digits = [0; 20];
    let (mut rest, mut at) = (number, digits.len());
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    to.extend(digits[at..].iter().map(|digit| char::from(*digit)));
}

/// Appends the last `digits` hexadecimal digits of a number, zeros included.
pub(crate) fn push_hex(to: &mut String, number: u64, digits: u32) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let shifts = (0..digits).rev().map(|place| place * 4);
    to.extend(shifts.map(|shift| char::from(DIGITS[(number >> shift) as usize & 0xf])));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_appended_as_they_are_formatted() {
        for number in [0, 7, 10, 305, 65_535, u64::from(u32::MAX), u64::MAX] {
            let mut text = String::from("n");
            push_number(&mut text, number);
            assert_eq!(text, format!("n{number}"));
        }
        for number in [0, 0xf, 0xabc, 0x8000_0001] {
            let mut text = String::new();
            push_hex(&mut text, number, 8);
            assert_eq!(text, format!("{number:08x}"));
        }
    }
}
